"""The settings in train/results, from several versions, can be read by this one."""

from lab.experiments import exact, full


def test_recorded_results_count_with_the_settings_of_today() -> None:
    """Some have settings that were removed since, and some lack newer settings."""
    jobs = [job for job in (*exact.jobs(), *full.jobs()) if "settings" in job.given]
    assert len(jobs) == 26
    assert [job.name for job in jobs if not job.done] == []
