"""What holds for all tests."""

from mascarade_env.core import _jit

# The first run of a fresh checkout compiles as it goes; on a busy machine that takes long enough to
# be announced, in the midst of what commands tell. Tests of the announcement start a new process.
_jit.PATIENCE = 3600.0
