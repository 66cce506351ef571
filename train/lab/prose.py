"""The linter of our English. It finds words to avoid, long sentences, docstrings without a verb.

`make check` runs it on every page, notebook, docstring, comment and message. The style guide in
CONTRIBUTING.md explains the rules. Text in backticks is code, and is not checked.
"""

import ast
import io
import json
import re
import subprocess
import textwrap
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

import tyro

from lab.paths import ROOT
from mascarade_env import MascaradeError

#: The linter refuses sentences with more words than this. Aim for 25.
LONGEST = 40

#: Patterns of words that are hard to understand, each with better words.
WORDS = {
    r"told": "report, log, show, say, document",
    r"tell(?!\w* (?:\w+ ){0,4}(?:apart|from)\b)(?:s|ing)?": "report, log, show, say, document",
    r"anew": "again; 'regenerate'",
    r"(?:go|goes|going|went|gone) on(?! (?:the|a|top))": "continue, resume",
    r"(?:break|breaks|breaking|broke|broken) off": "stop early, truncate, interrupt",
    r"chances?(?! (?:nodes?|players?|outcomes?|events?|moves?)\b)": "probability; rng; random",
    r"whoever|whatever|whichever|whomever": "name the thing",
    r"nobody|somebody": "no player, a player, another process: name them",
    r"(?:so|as) many(?! as\b)|so long(?! as\b)": "'n'; name the number",
    r"the so": "'the n-th'",
    r"of (?:its|their|his|her|one's|your|our) own": "own; separate; another",
    r"alone among": "1 vs n-1",
    r"guests?": "opponent",
    r"rungs?": "an agent of the ladder",
    r"wide open|sharp(?:er|est)?|sharpen\w*": "high entropy, low entropy",
    r"pull(?:s|ed)? to (?:the|its) past": "KL penalty to the averaged policy",
    r"stands?(?! (?:for|in for|alone)\b)|stood": "is, is written, is placed",
    r"lies? (?:in|at|on|where|elsewhere|there)": "is",
    r"hears?|heard|listeners?|ears?": "receive events; follower",
    r"as well(?! as\b)": "too, also",
    r"beside": "besides, next to, in addition to",
    r"in vain|hitherto|whence|thence|whereof|thereof|therein|wherein": "plain words",
    r"(?<!there )(?:is|are|was|were) no(?! longer\b| more\b| less\b)": "'is not a', 'is not'",
    r"comes? twice": "duplicate",
    r"makes? use of|made use of": "use",
    r"there (?:is|are) such|as such": "name the thing",
    r"must needs|ought to|shall": "must",
    r"(?:^|\. )Of (?:an?|the|this|these|each|every|all|what|its)": "begin with the subject",
}
_WORDS = {re.compile(rf"\b(?:{words})\b", re.IGNORECASE): advice for words, advice in WORDS.items()}

#: A function's docstring begins with a verb, so it does not begin with one of these words.
_NO_VERBS = frozenset(
    word
    for words in (
        "a all an and any as at both by each every few for from half he her his how if in it its",
        "just like many more most much no none not nothing of on one only or other our same",
        "several she so some such that the their there these they this those to true two until up",
        "what when where whether which while who whom whose why with without",
    )
    for word in words.split()
)
_PROPERTIES = {"property", "cached_property", "setter", "fixture", "overload"}


class Text(NamedTuple):
    """A piece of prose."""

    line: int  # its first line, from 1
    text: str  # lines of the file


class Finding(NamedTuple):
    """A place in a file to reword, with the reason."""

    line: int
    message: str


def check_file(path: Path) -> list[Finding]:
    """Return the places to reword in a file, in the order of lines."""
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        texts, findings = _of_python(source, tests="tests" in path.parts)
    elif path.suffix == ".ipynb":
        texts, findings = notebook_texts(source), []
    else:
        texts, findings = markdown_texts(source), []
    for text in texts:
        findings += _words_to_avoid(text)
        findings += _long_sentences(text)
    return sorted(set(findings))


def _of_python(source: str, *, tests: bool) -> tuple[list[Text], list[Finding]]:
    """Return docstrings and comments, and messages unless the file is a test."""
    texts = list(_comments(source))
    findings = []
    tree = ast.parse(source)
    docstrings = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", [])
        for statement in body if isinstance(body, list) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                docstrings.add(statement.value)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not tests:
            findings += _without_verb(node)
    parts = {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
    }
    keys = {
        key
        for node in ast.walk(tree)
        for key in (node.keys if isinstance(node, ast.Dict) else [getattr(node, "slice", None)])
    }
    for node in ast.walk(tree):
        if node in docstrings and isinstance(node, ast.Constant):
            texts.append(Text(node.lineno, _without_code(str(node.value))))
        elif tests:
            continue
        elif isinstance(node, ast.JoinedStr):
            words = [
                str(part.value) if isinstance(part, ast.Constant) else "`x`" for part in node.values
            ]
            texts.append(Text(node.lineno, "".join(words)))
        elif (
            isinstance(node, ast.Constant) and node not in parts | keys and _is_message(node.value)
        ):
            texts.append(Text(node.lineno, str(node.value)))
    return texts, findings


def _without_code(docstring: str) -> str:
    """Return a docstring without the names of parameters and without indented code."""
    plain = re.sub(r"^ +\w+:(?= )", "", docstring, flags=re.MULTILINE)
    head, *paragraphs = re.split(r"(?<=\n)(?= *\n)", plain)
    lines = [line for line in docstring.splitlines()[1:] if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return head + "".join(
        "\n" * paragraph.count("\n")
        if re.match(rf"\s*\n {{{margin + 4}}}", paragraph)
        else paragraph
        for paragraph in paragraphs
    )


def _is_message(value: object) -> bool:
    """Return whether a constant is a text of three words or more, which people read."""
    return isinstance(value, str) and len(re.findall(r"[A-Za-z]{2,} ", value)) > 1


def _comments(source: str) -> Iterator[Text]:
    """Yield comments. Consecutive lines of comments are one text."""
    first, last, lines = 0, 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or re.match(r"#\s*(?:noqa|type:|fmt:|!)", token.string):
            continue
        whole = token.line.lstrip().startswith("#")
        words = token.string.lstrip("#: ")
        words = re.sub(r"#\s*noqa.*", "", words)
        if whole and last == token.start[0] - 1 and lines:
            lines.append(words)
        else:
            if lines:
                yield Text(first, "\n".join(lines))
            first, lines = token.start[0], [words]
        last = token.start[0] if whole else 0
    if lines:
        yield Text(first, "\n".join(lines))


def _without_verb(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[Finding]:
    """Return a finding if the docstring of a function does not begin with a verb."""
    decorators = {
        name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
        for decorator in node.decorator_list
        for name in [decorator.func if isinstance(decorator, ast.Call) else decorator]
    }
    first = (ast.get_docstring(node) or "").partition(" ")[0].strip("`.,;:'").lower()
    if first not in _NO_VERBS or decorators & _PROPERTIES:
        return []
    return [Finding(node.body[0].lineno, f"begin the docstring of {node.name} with a verb")]


def notebook_texts(source: str, *, code: bool = True) -> list[Text]:
    """Return the prose of cells, and comments in code. `Text.line` is the number of the cell."""
    texts = []
    for number, cell in enumerate(json.loads(source)["cells"], start=1):
        written = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            texts += [Text(number, text.text) for text in markdown_texts(written)]
        elif code and not written.lstrip().startswith("%"):
            texts += [Text(number, text.text) for text in _comments(written)]
    return texts


def markdown_texts(source: str) -> list[Text]:
    """Return paragraphs, items of lists, and cells of tables, but not blocks of code."""
    texts = list[Text]()
    code = False
    begin = True
    for number, line in enumerate(source.splitlines(), start=1):
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            code, begin = not code, True
        elif code or not bare or bare.startswith("<"):
            begin = True
        elif bare.startswith("|"):
            texts += [Text(number, cell) for cell in bare.split("|") if cell.strip()]
            begin = True
        elif begin or re.match(r"(?:[-*+]|\d+\.|#+|>) ", bare):
            texts.append(Text(number, bare))
            begin = bare.startswith("#")
        else:
            texts[-1] = Text(texts[-1].line, f"{texts[-1].text}\n{bare}")
    return texts


def _plain(text: str) -> str:
    """Return a text with "x" instead of code and addresses; lines keep their numbers."""
    text = re.sub(r"``.+?``|`[^`]+`", lambda code: "\n" * code[0].count("\n") + "x", text)
    text = re.sub(r"\]\([^)\s]*\)", "] ", text)
    return re.sub(r"https?://\S+|<[^>\n]+>", "x", text)


def _words_to_avoid(text: Text) -> Iterator[Finding]:
    plain = _plain(text.text)
    for pattern, advice in _WORDS.items():
        for match in pattern.finditer(plain.replace("\n", " ")):
            if not match[0].isupper():  # the name of a constant
                line = text.line + plain[: match.start()].count("\n")
                yield Finding(line, f"'{match[0]}': {advice}")


def _long_sentences(text: Text) -> Iterator[Finding]:
    plain = _plain(textwrap.dedent(text.text))
    # A blank line, an item of a list, a section of a docstring and a colon end a sentence.
    ends = [0]
    ends += [
        match.end()
        for match in re.finditer(
            r"[.!?;:](?:\s|$)|\n\s*\n|\n\s*(?=\|)|\n\s*(?=[-*+]\s|\d+\.\s|>>>)|\n(?=\s*\w+: )",
            plain,
        )
    ]
    for start, end in pairwise([*ends, len(plain)]):
        words = re.findall(r"[^\W\d_][\w'-]*", plain[start:end])
        if len(words) > LONGEST:
            line = text.line + plain[:start].count("\n")
            yield Finding(line, f"a sentence of {len(words)} words: split it")


def files() -> list[Path]:
    """Return the files of the repository that contain prose."""
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
            "*.md",
            "*.py",
            "*.ipynb",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(path for path in map(ROOT.joinpath, listed.stdout.splitlines()) if path.exists())


def prose(paths: Annotated[tuple[Path, ...], tyro.conf.Positional] = ()) -> None:
    """Check texts against the style guide in CONTRIBUTING.md, and list the places to reword.

    Example: python -m lab prose README.md agents

    Args:
        paths: Files and folders to check; the whole repository by default.

    Raises:
        MascaradeError: there is a place to reword. The error lists all places.
    """
    for given in paths:
        if not given.exists():
            raise MascaradeError(f"{given} does not exist: name files and folders")
    chosen = [
        path
        for given in paths
        for path in ([given] if given.is_file() else sorted(given.rglob("*")))
        if path.suffix in {".md", ".py", ".ipynb"}
    ]
    if paths and not chosen:
        raise MascaradeError("there is nothing to check: name .py, .md or .ipynb files")
    findings = [
        f"{path}:{finding.line}: {finding.message}"
        for path in (chosen if paths else files())
        for finding in check_file(path)
    ]
    if findings:
        raise MascaradeError("\n".join(["reword these places:", *findings]))
