"""What holds for all tests of learning."""

import torch

torch.set_num_threads(1)  # as in training: on busy cores several wait for each other
