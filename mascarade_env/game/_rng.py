"""Random numbers whose state is part of the row of a game.

The generator is xoshiro128++ (Blackman and Vigna, 2019) with four 32-bit words, initialized from a
seed by a 32-bit hash. No intermediate result exceeds signed 64 bits, so compiled code and plain
Python agree bit for bit on every platform.
"""

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._jit import compiled
from mascarade_env.game._positions import Row

MAX_SEED = 2**63 - 1

# No game of a row has this episode number: its seeds are for uses other than deals.
NO_EPISODE = 2**32 - 1

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9


@compiled
def _times(x: int, factor: int) -> int:
    """Return the low 32 bits of a product, in two halves: no intermediate exceeds 2**49."""
    high = ((x * (factor >> 16)) & 0xFFFF) << 16
    return (high + x * (factor & 0xFFFF)) & _WORD


@compiled
def _scramble(x: int) -> int:
    """Return a one-to-one hash of a 32-bit word (multipliers of C. Wellons's `lowbias32`)."""
    x ^= x >> 16
    x = _times(x, 0x7FEB352D)
    x ^= x >> 15
    x = _times(x, 0x846CA68B)
    return x ^ (x >> 16)


@compiled
def seed_row(g: Row, seed: int) -> None:
    """Set the seed of a row and start its random numbers from it, 0 <= seed <= MAX_SEED."""
    g.seed = seed
    fill(g, seed)


@compiled
def fill(g: Row, seed: int) -> None:
    """Start the row's random numbers from a seed, 0 <= seed <= MAX_SEED."""
    low = seed & _WORD
    high = seed >> 32
    for i in range(4):
        g.rng[i] = _scramble(_scramble((low + (i + 1) * _GOLDEN) & _WORD) ^ high)
    if g.rng[0] == 0 and g.rng[1] == 0 and g.rng[2] == 0 and g.rng[3] == 0:
        g.rng[0] = 1  # from all zeros the generator would return zeros for ever


@compiled
def episode_seed(first: int, episode: int) -> int:
    """Return the seed of a later game of a row from the seed of its first game, episode 0.

    A Feistel cipher of four rounds, with the episode as its key, maps different first seeds to
    different words of 64 bits. The low 63 bits of the word are the seed.
    """
    if episode == 0:
        return first
    high = first >> 32
    low = first & _WORD
    for turn in range(4):
        key = _scramble((episode + (turn + 1) * _GOLDEN) & _WORD)
        mixed = high ^ _scramble(low ^ key)
        high = low
        low = mixed
    return ((high & 0x7FFFFFFF) << 32) | low


@compiled
def _rotate(x: int, places: int) -> int:
    return ((x << places) & _WORD) | (x >> (32 - places))


@compiled
def _next(g: Row) -> int:
    """Return the next random word, 0 <= word < 2**32."""
    a = int(g.rng[0])
    b = int(g.rng[1])
    c = int(g.rng[2])
    d = int(g.rng[3])
    word = (_rotate((a + d) & _WORD, 7) + a) & _WORD
    shifted = (b << 9) & _WORD
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    g.rng[0] = a
    g.rng[1] = b
    g.rng[2] = c
    g.rng[3] = _rotate(d, 11)
    return word


@compiled
def below(g: Row, bound: int) -> int:
    """Return an exactly uniform random number, 0 <= number < bound (Lemire 2019)."""
    product = _next(g) * bound
    if (product & _WORD) < bound:
        reject = (0x100000000 - bound) % bound
        while (product & _WORD) < reject:
            product = _next(g) * bound
    return product >> 32


def row_seeds(seed: int, rows: int) -> NDArray[np.int64]:
    """Return seeds derived from one seed, [rows].

    They are hashes. If the rows used seed, seed + 1, and so on, two batches whose seeds differ by 1
    would share almost all games.
    """
    words = np.random.SeedSequence(seed).generate_state(rows, np.uint64)
    return (words >> np.uint64(1)).astype(np.int64)


def checked_seed(seed: Any) -> int:
    """Return a seed as a whole number; for None, a random one from the operating system."""
    return secrets.randbelow(MAX_SEED + 1) if seed is None else given_seed(seed)


def given_seed(seed: Any) -> int:
    """Return a seed as a whole number.

    Raises:
        MascaradeError: it is not a whole number from 0 to MAX_SEED.
    """
    number = whole(seed, "a seed")
    if not 0 <= number <= MAX_SEED:
        raise MascaradeError(f"a seed must be 0 to 2**63-1, not {number}")
    return number
