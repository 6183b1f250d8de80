"""Text of any script as LaTeX source that pdfLaTeX accepts, with the T1 encoding and textcomp."""

from __future__ import annotations

import re
import unicodedata

from goodmeasure.report.visible_text import NO_BREAK, spaced, visible

_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "−": r"$-$", "∞": r"$\infty$",
    "∅": r"$\emptyset$", "∑": r"$\sum$",
    "…": r"\dots{}", "–": "--", "—": "---", "✓": r"$\surd$", "✗": r"$\times$", "→": r"$\to$", "←": r"$\leftarrow$",
    "≥": r"$\ge$", "≤": r"$\le$", "≠": r"$\ne$", "≈": r"$\approx$", "Σ": r"$\Sigma$",
    "√": r"$\surd$", "′": r"$'$", "·": r"\textperiodcentered{}", "×": r"$\times$", "÷": r"$\div$", "±": r"$\pm$",
    "µ": r"\textmu{}", "½": r"\textonehalf{}", "¼": r"\textonequarter{}", "¾": r"\textthreequarters{}",
    "°": r"\textdegree{}", "¹": r"\textonesuperior{}", "²": r"\texttwosuperior{}", "³": r"\textthreesuperior{}",
    "€": r"\texteuro{}", "£": r"\textsterling{}", "¥": r"\textyen{}", "¢": r"\textcent{}", "§": r"\S{}", "¶": r"\P{}",
    "©": r"\textcopyright{}", "®": r"\textregistered{}", "™": r"\texttrademark{}", "№": r"\textnumero{}",
    "«": r"\guillemotleft{}", "»": r"\guillemotright{}", "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
    "‘": r"\textquoteleft{}", "’": r"\textquoteright{}", "„": r"\quotedblbase{}", "‚": r"\quotesinglbase{}",
    "\u2010": "-", "\u2011": "-", "•": r"\textbullet{}", "¿": r"\textquestiondown{}", "¡": r"\textexclamdown{}",
    NO_BREAK: "~",
}  # fmt: skip
_RUNS_TOGETHER = re.compile(r"(?<=-)(?=-)|(?<=,)(?=,)|(?<=')(?=')")  # pairs that T1 fonts join into one character
_LIKE_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
})  # fmt: skip
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0328": "k",
}  # fmt: skip
_LETTERS = frozenset("ßæÆøØœŒåÅłŁđĐðÐþÞŋŊ")  # letters of T1 fonts that do not decompose into a letter and an accent
_TYPED = {"'": r"\textquotesingle{}", NO_BREAK: "~", " ": "~"}


def escaped(text: str) -> str:
    """Return text escaped for LaTeX; a leading [ or * would be an option of the preceding command."""
    one_line = "".join(x for x in spaced(visible(text)) if x.isprintable() or x == NO_BREAK)
    guard = "{}" if one_line.startswith(("[", "*")) else ""
    return guard + _set(one_line, _SIGNS)


def typed(text: str) -> str:
    """Return lines of code: verbatim, if pdfLaTeX has all their letters, and otherwise letter by letter."""
    if text.isascii():
        return f"\\begin{{verbatim}}\n{text.replace(chr(92) + 'end{verbatim}', '')}\n\\end{{verbatim}}"
    lines = [_set(visible(line), {**_SIGNS, **_TYPED}) for line in text.split("\n")]
    shown = "\\\\\n".join(f"\\mbox{{}}{line}" for line in lines)
    return f"\\begin{{flushleft}}\n\\ttfamily\n{shown}\n\\end{{flushleft}}"


def _set(text: str, signs: dict[str, str]) -> str:
    """Return every letter as it is or as a command; letters that pdfLaTeX lacks become code points."""
    apart = _RUNS_TOGETHER.sub("\ue000", unicodedata.normalize("NFC", text))
    out, foreign = [], ""
    for x in apart:
        known = "{}" if x == "\ue000" else _letter(x, signs)
        if known is None:
            foreign += x
            continue
        out += [_numbered(foreign), known]
        foreign = ""
    return "".join([*out, _numbered(foreign)])


def _letter(x: str, signs: dict[str, str]) -> str | None:
    """Return how a letter is typed, or None if pdfLaTeX lacks it."""
    if x in signs or x.isascii() or x in _LETTERS:
        return signs.get(x, x)
    name = unicodedata.name(x, "")
    greek = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", name)
    if x in _LIKE_LATIN or greek:
        word = "" if greek is None else greek[2].lower().replace("lamda", "lambda")
        shown = _LIKE_LATIN.get(x, f"\\{word if greek and greek[1] == 'SMALL' else word.capitalize()}")
        return f"${shown}$" if x in _LIKE_LATIN or word in _GREEK else None
    parts = unicodedata.normalize("NFD", x)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        base = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0]) if parts[1] not in "\u0323\u0327\u0328" else parts[0]
        return f"\\{_ACCENTS[parts[1]]}{{{base}}}"
    return None


def _numbered(text: str) -> str:
    """Return letters that XeLaTeX and LuaLaTeX show as they are, and pdfLaTeX as code points."""
    if not text:
        return ""
    numbers = " ".join(f"U+{ord(x):04X}" for x in text)
    return f"\\ifdefined\\Umathchar {text}\\else [{numbers}]\\fi{{}}"
