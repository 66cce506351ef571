"""Fingerprints of behaviour: digests of games, observations, beliefs, agents and training.

`make fingerprint` writes `tests/fingerprints.json`; a test compares it with the code now.
The file is a tree of groups, such as "beliefs", and of named entries below them. A mismatch is
reported by its path: "observations-both/6A/padded/learner/same_step/mask differs".

There are two kinds of entries, and they are compared in different ways:

- A **text** is exact. It is a digest of integers, texts and floating-point numbers that the
  environment makes, or a list of seeded choices. The environment adds and multiplies in a fixed
  order, so a text must be the same on every machine, compiled or not.
- A **number** is approximate. It is a weighted sum over thousands of probabilities or weights of
  networks (`digests.sketch`). The last bits of these depend on the processor and the libraries. A
  digest would differ between machines even after rounding, because some of these numbers are
  always close to the limit between two rounded values. A sum must be within `compare.TOLERANCE` of
  the file. The sums after the training run differ by a sixth of this tolerance between the AVX-512
  kernels of torch and its plain ones (`ATEN_CPU_CAPABILITY=default make fingerprint`).

All names of the packages that fingerprints use are imported in `parts.py`.
"""
