"""Random numbers whose state lives in the row of a game.

The generator is xoshiro128++ (Blackman and Vigna, 2019) with four 32-bit words, filled from a seed
by a 32-bit hash. All arithmetic stays inside signed 64 bits, so compiled code and plain Python
agree bit for bit, without overflow, on every platform.
"""

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._jit import compiled
from mascarade_env.game._positions import Row

MAX_SEED = 2**63 - 1

# The number of a game in the series of a row whose seeds are kept for other uses than deals.
NO_EPISODE = 2**32 - 1

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9


@compiled
def _times(x: int, factor: int) -> int:
    """Return the low word of a product, in two halves so that no intermediate passes 2**49."""
    high = ((x * (factor >> 16)) & 0xFFFF) << 16
    return (high + x * (factor & 0xFFFF)) & _WORD


@compiled
def _scramble(x: int) -> int:
    """Return a one-to-one hash of one word (the multipliers are C. Wellons's `lowbias32`)."""
    x ^= x >> 16
    x = _times(x, 0x7FEB352D)
    x ^= x >> 15
    x = _times(x, 0x846CA68B)
    return x ^ (x >> 16)


@compiled
def seed_row(g: Row, seed: int) -> None:
    """Make a row the game of a seed, 0 <= seed <= MAX_SEED."""
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
        g.rng[0] = 1  # the one state the generator cannot leave


@compiled
def episode_seed(first: int, episode: int) -> int:
    """The seed of a row's later games, from the seed of its first; episode 0 is that first one.

    A Feistel cipher of four rounds whose key is the episode: for each episode it maps different
    seeds to different words of 64 bits, of which the last 63 are the new seed.
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
    """Return a random number, 0 <= number < bound, exactly uniform (Lemire 2019)."""
    product = _next(g) * bound
    if (product & _WORD) < bound:
        reject = (0x100000000 - bound) % bound
        while (product & _WORD) < reject:
            product = _next(g) * bound
    return product >> 32


def row_seeds(seed: int, rows: int) -> NDArray[np.int64]:
    """Return [rows] seeds made from one.

    They are not seed, seed + 1 ...: neighbouring seeds would then give almost the same games.
    """
    words = np.random.SeedSequence(seed).generate_state(rows, np.uint64)
    return (words >> np.uint64(1)).astype(np.int64)


def checked_seed(seed: Any) -> int:
    """Return a seed as a whole number; None asks the operating system for one."""
    return secrets.randbelow(MAX_SEED + 1) if seed is None else given_seed(seed)


def given_seed(seed: Any) -> int:
    """Return a seed as a whole number, or an error."""
    number = whole(seed, "a seed")
    if not 0 <= number <= MAX_SEED:
        raise MascaradeError(f"a seed lies in 0..2**63-1, not {number}")
    return number
