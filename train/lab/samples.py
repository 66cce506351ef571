"""Random texts of the project, for a reader who judges whether they are easy to read."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from lab.paths import ROOT
from lab.prose import files, markdown_texts, notebook_texts
from mascarade_env._errors import whole

_SHORTEST = 12  # words of a paragraph; shorter ones are headings, labels and cells


def samples(
    *, docstrings: int = 100, errors: int = 50, paragraphs: int = 30, seed: int = 0
) -> None:
    """Print random docstrings, error messages and paragraphs of this repository.

    Give them to a reader who has not worked on it, and ask which ones are hard to read.

    Example: python -m lab samples --seed 1

    Args:
        docstrings: Number of docstrings to print.
        errors: Number of error messages to print.
        paragraphs: Number of paragraphs of pages and lessons to print.
        seed: Seed of the choice. The same seed and the same files give the same texts.
    """
    for name, value in {
        "docstrings": docstrings,
        "errors": errors,
        "paragraphs": paragraphs,
    }.items():
        whole(value, f"--{name}", at_least=0)
    rng = np.random.default_rng(whole(seed, "--seed", at_least=0))
    for kind, count, texts_of in (
        ("docstring", docstrings, _docstrings),
        ("error", errors, _errors),
        ("paragraph", paragraphs, _paragraphs),
    ):
        texts = [
            (f"{path.relative_to(ROOT)}:{line}", text)
            for path in files()
            for line, text in _read(path, texts_of)
        ]
        chosen = rng.permutation(len(texts))[:count]
        print(f"# {len(chosen)} of {len(texts)} {kind}s\n")
        for number, index in enumerate(sorted(chosen), start=1):
            place, text = texts[index]
            print(f"[{kind} {number}] {place}\n{text}\n")


def _read(
    path: Path, texts_of: Callable[[Path, str], Iterator[tuple[int, str]]]
) -> Iterator[tuple[int, str]]:
    tests = path.relative_to(ROOT).parts[0] == "tests"
    return iter(()) if tests else texts_of(path, path.read_text("utf-8"))


def _docstrings(path: Path, source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, each after the name and arguments of what it describes."""
    if path.suffix != ".py":
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                name = getattr(node, "name", "module")
                signature = f"({ast.unparse(node.args)})" if hasattr(node, "args") else ""
                yield node.body[0].lineno, f"{name}{signature}\n{text}"


def _errors(path: Path, source: str) -> Iterator[tuple[int, str]]:
    """Yield the code after `raise`, if it contains a text."""
    if path.suffix != ".py":
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and node.exc is not None:
            text = ast.unparse(node.exc)
            if "'" in text or '"' in text:
                yield node.lineno, text


def _paragraphs(path: Path, source: str) -> Iterator[tuple[int, str]]:
    """Yield paragraphs of pages and lessons."""
    if path.suffix == ".py":
        return
    notebook = path.suffix == ".ipynb"
    for text in notebook_texts(source, code=False) if notebook else markdown_texts(source):
        if len(text.text.split()) >= _SHORTEST:
            yield text.line, text.text
