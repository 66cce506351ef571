"""Settings for all tests of training."""

import torch

torch.set_num_threads(1)  # as in training: on busy cores, several threads wait for each other
