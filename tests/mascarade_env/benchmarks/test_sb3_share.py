import torch

from mascarade_env.benchmarks.sb3_share import sb3_share


def test_the_share_is_one_and_threads_are_given_back() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert 0 < sb3_share("4A", games=2) < 1
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
