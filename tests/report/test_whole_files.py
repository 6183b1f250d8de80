"""A report takes the place of an older one as its owner left it."""

from __future__ import annotations

import os
import stat

import pytest

from goodmeasure.report.whole_files import write_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes and links as POSIX has them")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_report_that_is_overwritten_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "r.html"
    path.write_text("old")
    path.chmod(mode)
    write_file(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_keeps_pointing_to_its_file(tmp_path):
    (tmp_path / "there").mkdir()
    path, target = tmp_path / "r.html", tmp_path / "there" / "real.html"
    path.symlink_to("there/real.html")
    for text in ("created", "replaced"):
        write_file(path, text)
        assert path.is_symlink()
        assert target.read_text() == text
    assert sorted(x.name for x in tmp_path.rglob("*")) == ["r.html", "real.html", "there"]


def test_a_device_is_not_replaced(tmp_path):
    path = tmp_path / "r.html"
    os.mkfifo(tmp_path / "pipe")
    path.symlink_to("pipe")
    with pytest.raises(OSError, match=r"cannot write \S+r\.html: it is no regular file"):
        write_file(path, "text")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
