"""The results in train/results: their settings, of several versions, are those of today."""

from lab.experiments import exact, full


def test_recorded_results_count_with_the_settings_of_today() -> None:
    """Those of small games have settings that are gone since, those of responses lack some."""
    jobs = [job for job in (*exact.jobs(), *full.jobs()) if "settings" in job.given]
    assert len(jobs) == 26
    assert [job.name for job in jobs if not job.done] == []
