"""The page BENCHMARKS.md."""

from dataclasses import replace
from datetime import UTC, datetime

from lab.bench.peer_runs import PeerResult
from lab.bench.peers import PEERS
from lab.bench.report import page
from mascarade_env._benchmarks import Benchmark
from mascarade_env._benchmarks.measuring import Figure, Measured

MACHINE = {"processor": "Some CPU", "cores": 2, "python": "3.11.7", "mascarade-env": "0.1.0"}
WHEN = datetime(2026, 1, 2, 3, tzinfo=UTC)


def line(name: str, *, at_least: float | None = None, at_most: float | None = None) -> Benchmark:
    return Benchmark(name, f"what {name} is", "/s", lambda: 1.0, at_least, at_most)


def measured(*figures: Figure) -> Measured:
    return Measured(MACHINE, list(figures), None)


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its heads."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    table = [row for row in section.splitlines() if row.startswith("|")]
    assert len({row.replace("\\|", "").count("|") for row in table}) == 1
    return [row[2:-2].split(" | ") for row in table[2:]]


def test_our_lines_with_targets_and_verdicts() -> None:
    figures = [
        Figure(line("fast", at_least=1e6), 2.345e6),
        Figure(line("slow", at_least=1e6), 2345.0),
        Figure(line("small", at_most=10), 3.0),
        Figure(line("free"), 0.25),
    ]
    text = page(measured(*figures), [], when=WHEN)
    assert rows(text, "mascarade-env") == [
        ["fast", "what fast is", "2.35 M /s", ">= 1 M", "reached"],
        ["slow", "what slow is", "2.35 k /s", ">= 1 M", "MISSED"],
        ["small", "what small is", "3 /s", "<= 10", "reached"],
        ["free", "what free is", "0.25 /s", "", ""],
    ]
    assert "- date: 2026-01-02\n- processor: Some CPU\n- cores: 2\n- python: 3.11.7\n" in text


def test_peers_with_rates_and_with_reasons() -> None:
    first, second, third = PEERS[:3]
    results = [
        PeerResult(first, "1.0 (jax 2.0)", 12_345.0, 10_000.0),
        PeerResult(second, error="not installed: open_spiel"),
        PeerResult(third, "1.0", error="ended by signal 11 (Segmentation fault)"),
    ]
    cells = rows(page(measured(), results, when=WHEN), "Comparison with other packages")
    assert cells == [
        [f"[{first.packages[0]}]({first.url})", "1.0 (jax 2.0)", first.game, first.how,
         "12.3 k /s", "10 k /s", first.beside],
        [f"[{second.packages[0]}]({second.url})", "", second.game, second.how,
         "none: not installed: open_spiel", "", second.beside],
        [f"[{third.packages[0]}]({third.url})", "1.0", third.game, third.how,
         "none: ended by signal 11 (Segmentation fault)", "", third.beside],
    ]  # fmt: skip


def test_no_text_can_break_a_table() -> None:
    nasty = replace(PEERS[0], how="a | b\\|c\nd")
    results = [PeerResult(nasty, error="x|y\r\n| z |")]
    text = page(measured(Figure(replace(line("a|b"), about="c\n|d"), 1.0)), results, when=WHEN)
    assert rows(text, "mascarade-env") == [["a\\|b", "c \\|d", "1 /s", "", ""]]
    assert "| a \\| b\\\\\\|c d | none: x\\|y \\| z \\| |" in text


def test_nothing_is_wrapped() -> None:
    text = page(measured(Figure(line("a"), 1.0)), [PeerResult(PEERS[0], "1", 2.0, 2.0)], when=WHEN)
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        assert len(lines) == 1 or all(each.startswith(("|", "- ")) for each in lines)
