"""Many slices on the terminal: the largest are shown, and it is said where the others are."""

from __future__ import annotations

from tests.cli.command import call


def test_the_terminal_shows_the_largest_slices_and_says_how_many_are_not_shown(tmp_path, monkeypatch):
    """10,000 slices printed 10,033 lines."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{'ab'[k % 2]},{'ab'[k % 3 == 0]},s{k % 99}\n" for k in range(400)] + ["a,b,large\n"] * 50
    (tmp_path / "p.csv").write_text("label,pred,site\n" + "".join(rows))
    result = call("evaluate", "p.csv", "--by", "site", "--no-report")
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) < 80
    assert result.output.count("site = ") == 20
    assert "site = large" in result.output
    assert "80 smaller slices, in a report (--out FILE)" in result.output
