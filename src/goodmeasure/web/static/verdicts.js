// What is known about a measure's properties: verdicts in plain words, counterexamples drawn, proofs summarised.

import { paperName } from "./catalogue.js";
import { copyables } from "./copying.js";
import { element, show } from "./dom.js";
import { smallMatrix } from "./matrix_editor.js";
import { decimal } from "./writing.js";

const SPOKEN = {
  proved: "proved",
  refuted: "refuted",
  held: "no counterexample found",
  vacuous: "says nothing here",
  waiting: "being decided",
};

const SUMMED = {
  proved: "proved",
  refuted: "refuted by a counterexample",
  held: "undecided (no counterexample found, and no proof)",
  vacuous: "without content here",
};

// What a measure does or fails to do, for the properties that most uses of a measure rely on; the first must not fail.
const MEANINGS = {
  monotone: ["rises whenever an error is corrected", "need not rise when an error is corrected"],
  maximal_agreement: [
    "gives its best value to perfect predictions and to no others",
    "has no best value that perfect predictions always get and others never",
  ],
  constant_baseline: [
    "gives all ways of guessing at random the same score on average",
    "prefers some ways of guessing at random to others",
  ],
  class_symmetry: ["treats all classes alike", "depends on which class is which"],
};
const MUST = ["monotone", "maximal_agreement"];

/** Return what the verdicts mean for somebody who wants to use the measure, in a sentence; empty if too few are known. */
export function meaningOf(verdicts) {
  const status = Object.fromEntries(verdicts.map((verdict) => [verdict.property, verdict.status]));
  const known = Object.keys(MEANINGS).filter((name) => ["proved", "held", "refuted"].includes(status[name]));
  if (known.length < Object.keys(MEANINGS).length) return "";
  const good = known.filter((name) => status[name] !== "refuted").map((name) => MEANINGS[name][0]);
  const bad = known.filter((name) => status[name] === "refuted").map((name) => MEANINGS[name][1]);
  const fails = MUST.some((name) => status[name] === "refuted");
  const opening = fails ? "Be careful with this measure" : bad.length ? "A usable measure with limits" : "A sound measure";
  const parts = [good.length ? listed(good) : "", bad.length ? listed(bad) : ""].filter(Boolean);
  const open = known.some((name) => status[name] === "held") ? " Not all of this is proved." : "";
  return `${opening}: it ${parts.join(", but ")}.${open}`;
}

function listed(texts) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}

/** Return a verdict as an item of a list, with what shows it folded away. */
export function verdictItem(verdict, { open = false } = {}) {
  const line = [
    sign(verdict),
    element(
      "div",
      {},
      element("b", {}, verdict.title),
      element(
        "span",
        { class: "words" },
        verdict.sentence ? `${verdict.sentence} ` : "",
        element("strong", {}, verdict.words ?? ""),
      ),
    ),
  ];
  const inside = evidence(verdict);
  return element(
    "li",
    { class: "verdict", "data-property": verdict.property, "data-status": verdict.status },
    inside.length
      ? element("details", { open }, element("summary", {}, ...line), element("div", { class: "inside" }, ...inside))
      : element("div", { class: "plain" }, ...line),
  );
}

/** Return the sign of a verdict, with its meaning for those who do not see it. */
export function sign({ status, sign: text }) {
  return element(
    "span",
    { class: `sign ${status}` },
    element("span", { "aria-hidden": "true" }, text),
    element("span", { class: "aside" }, SPOKEN[status] ?? status),
  );
}

function evidence({ witness, proof }) {
  const parts = [];
  if (witness) parts.push(...witnessParts(witness));
  if (proof) parts.push(...proofParts(proof));
  return parts;
}

function witnessParts({ says, exhibits = [], labelings, replay }) {
  return [
    labelings?.length
      ? element("p", {}, "Labelings: ", ...labelings.flatMap((one, k) => [k ? ", " : "", labelingPart("ABC"[k], one)]))
      : null,
    exhibits.length ? element("div", { class: "exhibits" }, ...exhibitParts(exhibits)) : null,
    says ? element("p", {}, says) : null,
    ...copyables([["Replay it in Python", replay]]),
  ].filter(Boolean);
}

function labelingPart(name, classes) {
  return element("code", {}, `${name} = ${classes.join("")}`);
}

function exhibitParts(exhibits) {
  const marked = differing(exhibits);
  const moved = exhibits.length === 2 && exhibits[0].role === "before";
  return exhibits
    .flatMap((exhibit, k) => [
      k > 0 ? element("span", { class: "then", "aria-hidden": "true" }, moved ? "→" : "·") : null,
      exhibitOf(exhibit, marked),
    ])
    .filter(Boolean);
}

function exhibitOf({ role, matrix, average, value, number }, marked) {
  const drawn = matrix
    ? [smallMatrix(matrix, { caption: role, marked })]
    : [
        element("span", { class: "soft" }, role ?? "average"),
        ...(average ?? [])
          .slice(0, 6)
          .map(([weight, counts]) =>
            element("div", { class: "exhibits" }, element("span", {}, `${weightText(weight)} ×`), smallMatrix(counts)),
          ),
      ];
  const rounded = number === null || number === undefined ? "" : decimal(number);
  const exact =
    value !== undefined && value !== null && String(value) !== rounded && String(value).length < 24
      ? ` = ${value}`.replaceAll("-", "−")
      : "";
  return element(
    "div",
    { class: "exhibit" },
    ...drawn,
    element(
      "span",
      { class: "score" },
      rounded || String(value ?? ""),
      exact && rounded && Number(value) !== number ? element("small", {}, exact) : null,
    ),
  );
}

function weightText(weight) {
  return typeof weight === "number" ? decimal(weight) : String(weight);
}

/** The cells that differ between two matrices of the same size. */
function differing(exhibits) {
  if (exhibits.length !== 2) return [];
  const [one, other] = exhibits.map((exhibit) => exhibit.matrix);
  if (!one || !other || one.length !== other.length) return [];
  return one
    .flatMap((row, i) => row.map((number, j) => [i, j, number !== other[i][j]]))
    .filter(([, , differs]) => differs)
    .map(([i, j]) => [i, j]);
}

function proofParts({ method, summary, cases, text }) {
  return [
    ...(summary ?? []).map((sentence) => element("p", {}, sentence)),
    text
      ? element("details", {}, element("summary", {}, "The whole proof"), element("pre", { tabindex: "0" }, text))
      : null,
    method
      ? element("p", { class: "hint" }, `Method: ${method}${cases ? `; ${cases.toLocaleString("en")} cases` : ""}.`)
      : null,
  ].filter(Boolean);
}

/** Verdicts by paper, with a sentence that sums them up; they may come one by one. */
export class VerdictList {
  constructor(label) {
    this.lists = element("div", { role: "group", "aria-label": label });
    this.summary = element("p", { class: "soft", "aria-live": "polite" });
    this.meaning = element("p", { class: "verdict-line meaning", hidden: true });
    this.root = element("div", {}, this.meaning, this.summary, this.lists);
    this.clear();
  }

  /** Show no verdicts, and a sentence. */
  clear(sentence = "") {
    this.verdicts = [];
    this.byPaper = new Map();
    show(this.lists);
    this.summary.textContent = sentence;
    this.meaning.hidden = true;
  }

  add(verdict, unfolded = "") {
    this.verdicts.push(verdict);
    if (!this.byPaper.has(verdict.cite)) {
      const list = element("ul", { class: "verdicts" });
      this.byPaper.set(verdict.cite, list);
      this.lists.append(verdict.cite ? element("h3", {}, `Properties of ${paperName(verdict.cite)}`) : "", list);
    }
    this.byPaper.get(verdict.cite).append(verdictItem(verdict, { open: verdict.property === unfolded }));
  }

  /** Show these verdicts in place of all others, with one property unfolded. */
  show(verdicts, unfolded = "") {
    this.clear();
    for (const verdict of verdicts) this.add(verdict, unfolded);
    this.sum();
  }

  /** Sum the verdicts up, and say something more. */
  sum(after = "") {
    const number = (status) => this.verdicts.filter((verdict) => verdict.status === status).length;
    const parts = Object.entries(SUMMED)
      .filter(([status]) => number(status))
      .map(([status, words]) => `${number(status)} ${words}`);
    const all = `${this.verdicts.length} properties: ${parts.join(", ")}.`;
    this.meaning.textContent = meaningOf(this.verdicts);
    this.meaning.hidden = !this.meaning.textContent;
    this.summary.textContent = parts.length ? `${all} ${after}`.trim() : after || "Nothing is stored about this.";
  }
}
