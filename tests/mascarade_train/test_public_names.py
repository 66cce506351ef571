"""The names that users import from `mascarade_train`."""

import subprocess
import sys

import pytest

import mascarade_train

WITHOUT_TORCH = """
import sys
import mascarade_train
from mascarade_train import PolicyFile, Settings, preset, released_path
PolicyFile.load(released_path("4A"))
assert not any(name.split(".")[0] == "torch" for name in sys.modules)
from mascarade_train import Training
assert "torch" in sys.modules
"""


def test_every_name_is_there_and_has_words() -> None:
    for name in mascarade_train.__all__:
        found = getattr(mascarade_train, name)
        assert name == "PRESETS" or found.__doc__
        assert name in dir(mascarade_train)
    with pytest.raises(AttributeError, match="Trainer"):
        _ = mascarade_train.Trainer  # type: ignore[attr-defined]


def test_torch_is_loaded_for_what_needs_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
