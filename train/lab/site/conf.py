"""Settings of the documentation site, which `make docs` builds from the pages of this repository.

The pages are not copied to one folder: each stays next to the code that it describes. contents.md,
in this folder, lists the pages in order. README.md is the first page.
"""

import re
import shutil
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import indent

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.ext.autodoc import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SOURCE = PROJECT["urls"]["Source"]
CONTENTS = (HERE / "contents.md").read_text("utf-8")

project = PROJECT["name"]
author = PROJECT["authors"][0]["name"]
copyright = f"2026, {author}"  # noqa: A001 - Sphinx wants this name
release = version = re.findall(
    r'__version__ = "(.+)"', (ROOT / "mascarade_env/__init__.py").read_text("utf-8")
)[0]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

root_doc = "README"
#: Only the pages that contents.md lists, so that folders such as .venv are not read.
include_patterns = [
    "README.md",
    *(f"{name}.*" for name in re.findall(r"^(?:.*<)?([\w/.-]+)>?$", CONTENTS, re.MULTILINE)),
]
exclude_patterns = ["**/*.py", "**/*.svg", "**/*.toml", "**/*.json"]

# Links to headings have the same form as on GitHub.
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath", "smartquotes"]
# Lessons are stored with their outputs; `python -m lab lessons` runs them.
nb_execution_mode = "off"
nb_merge_streams = True

# The reference of public names is made from docstrings.
autodoc_default_options = {"members": True, "imported-members": True}
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_mock_imports = ["ray"]  # RLlib needs a separate environment
add_module_names = False
python_maximum_signature_line_length = 88
default_role = "py:obj"  # `Game` in a docstring is a link

html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "source_repository": f"{SOURCE}/",
    "source_branch": "main",
    "source_directory": "",
}


#: A name in a private module, such as mascarade_env.game._game.Game.
_PRIVATE = re.compile(r"~?\bmascarade_(?:env|agents|train)(?:\.\w+)*\._\w+(?:\.[a-z]\w*)*\.(\w+)")


def _add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """Append the list of pages to README.md. On GitHub, README.md has no such list."""
    if name == app.config.root_doc:
        source[0] += f"\n\n{CONTENTS}"


def _link_to_source(app: Sphinx, doctree: nodes.document) -> None:
    """Make links to files that are not pages, such as code, point to the repository."""
    here = Path(app.env.docname).parent
    for node in list(doctree.findall(addnodes.download_reference)):
        path = (ROOT / here / node["reftarget"].lstrip("/")).resolve().relative_to(ROOT)
        address = f"{SOURCE}/blob/main/{path}"
        link = nodes.reference("", "", *node.children, refuri=address, internal=False)
        node.replace_self(link)


def _to_restructured_text(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Turn blocks of code in a docstring into directives, and shorten docstrings of packages.

    A package's docstring lists its private files. This list is removed, as it is for developers.
    """
    text = "\n".join(lines)
    if what == "module":
        paragraphs = text.split("\n\n")
        lists = [at for at, paragraph in enumerate(paragraphs) if _lists_files(paragraph)]
        if lists:  # remove the paragraph before the list too, which introduces it
            text = "\n\n".join(paragraphs[: lists[0] - 1])
    text = re.sub(
        r"^( *)```(\w*)\n(.*?)\n *```$",
        lambda code: f"{code[1]}.. code-block:: {code[2] or 'text'}\n\n{indent(code[3], '    ')}\n",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    # In a docstring, as in Markdown, an indented paragraph is code.
    text = re.sub(
        r"((?:\A|^(?![:. ])[^\n]+\n)\n)((?: {4}[^\n]*\n|\n(?= {4}))+)",
        lambda code: f"{code[1]}.. code-block:: python\n\n{code[2]}\n",
        text,
        flags=re.MULTILINE,
    )
    lines[:] = text.splitlines()


def _lists_files(paragraph: str) -> bool:
    lines = paragraph.strip().splitlines()
    return bool(lines) and all(re.match(r"\w+(?:\.py|/): |  ", line) for line in lines)


def _without_badges(app: Sphinx, doctree: nodes.document) -> None:
    """Remove pictures from other servers, so that a reader's browser does not contact them."""
    for image in list(doctree.findall(nodes.image)):
        if image["uri"].startswith("http"):
            link = image.parent
            paragraph = link.parent
            paragraph.remove(link)
            if not paragraph.astext().strip():
                paragraph.parent.remove(paragraph)


def _name_publicly(app: Sphinx, doctree: nodes.document) -> None:
    """Replace private names of types by the names in the public modules that export them."""
    for node in doctree.findall(addnodes.pending_xref):
        target = node.get("reftarget", "")
        node["reftarget"] = _public_names().get(target, target)
    for text in list(doctree.findall(nodes.Text)):
        short = _PRIVATE.sub(r"\1", text)
        if short != text:
            text.parent.replace(text, nodes.Text(short))


@cache
def _public_names() -> dict[str, str]:
    """Return a dict from the full private name of each exported object to its public name."""
    public = {}
    with mock(autodoc_mock_imports):
        for page in sorted((HERE / "api").glob("*.rst")):
            module = import_module(page.stem)
            for name in module.__all__:
                thing = getattr(module, name)
                if hasattr(thing, "__qualname__"):
                    public[f"{thing.__module__}.{thing.__qualname__}"] = f"{page.stem}.{name}"
    return public


def _is_field(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    """Skip fields of named tuples, whose docstrings are only 'Alias for field number n'."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def _add_index(app: Sphinx, error: Exception | None) -> None:
    """Copy the first page to index.html, which a server shows for the folder."""
    if error is None and app.builder.name == "html":
        folder = Path(app.outdir)
        shutil.copyfile(folder / f"{app.config.root_doc}.html", folder / "index.html")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", _add_contents)
    app.connect("doctree-read", _link_to_source)
    app.connect("doctree-read", _without_badges)
    app.connect("doctree-read", _name_publicly)
    app.connect("autodoc-process-docstring", _to_restructured_text)
    app.connect("autodoc-skip-member", _is_field)
    app.connect("build-finished", _add_index)
