// What if: move a slider and see how every measure reacts; what trivial classifiers get; what a target would take.

import { config } from "../api.js";
import {
  catalogue,
  givenMatrix,
  matrixAt,
  measureLink,
  middleOf,
  scorecardNames,
  startingMatrix,
  sweepOf,
  usable,
} from "../catalogue.js";
import { LineChart } from "../charts.js";
import { announce, button, choice, element, field, freshId, show } from "../dom.js";
import { keepMatrix, matrixValues, sameMatrix, total, trueSizes } from "../matrix.js";
import { smallMatrix } from "../matrix_editor.js";
import { atPrevalence, moved, value as valueOf } from "../measuring.js";
import { opened } from "../reading.js";
import { link, state, update, value } from "../state.js";
import { count, counted, decimal, finite, percent, signed } from "../writing.js";
import { reachCard, stepOfMoves } from "./reaching.js";
import { trivialCard } from "./trivial_classifiers.js";

const LEAST_SHARE = 0.001;
const LARGEST_SHOWN = 8; // classes; a larger matrix is not drawn beside the slider

/** Show the section. */
export async function open(root, current) {
  const given = await givenMatrix();
  if (given && state().section === current.section) {
    keepMatrix(given, "file");
    opened.isTaken = true;
  }
  const [{ matrix, example }, known, settings] = await Promise.all([startingMatrix(), catalogue(), config()]);
  const names = await scorecardNames(matrix.labels.length);
  const measures = chosenMeasures(known, names, matrix.labels.length);
  const view = new WhatIf({
    root,
    matrix,
    known,
    settings,
    measures,
    sweep: sweepOf(example),
    stored: example && sameMatrix(example.matrix, matrix) ? example : null,
  });
  view.begin();
}

function chosenMeasures(known, names, classes) {
  const wanted = value("set") === "all" ? usable(known.measures, classes).map((one) => one.name) : names;
  return wanted.map((name) => known.measure.get(name)).filter(Boolean);
}

class WhatIf {
  constructor(parts) {
    Object.assign(this, parts);
    this.lever = element("div", { class: "lever" });
    this.reactions = element("ul", { class: "reactions", "aria-label": "Reaction of every measure" });
    this.matrices = element("div", { class: "exhibits" });
  }

  begin() {
    const { labels, counts } = this.matrix;
    show(
      this.root,
      element("h1", {}, "What if"),
      element(
        "p",
        { class: "lead" },
        `Your matrix has ${counted(total(counts), "item")} in ${counted(labels.length, "class", "classes")}. `,
        element("a", { href: link("numbers") }, "Edit it"),
        ", or move the slider and see how every measure reacts.",
      ),
      element("div", { class: "stack" }, this.leverCard(), trivialCard(this), reachCard(this)),
    );
    this.pull();
  }

  // ── the slider ─────────────────────────────────────────────────────────────────────────────────────────────────

  leverCard() {
    const levers = [
      ["prevalence", "Class prevalence"],
      ["move", "Move items between cells"],
      ["threshold", "Decision threshold"],
    ];
    const sets = [
      ["", "Scorecard"],
      ["all", "All measures"],
    ];
    return element(
      "section",
      { class: "card", "aria-label": "Reaction of every measure" },
      element(
        "div",
        { class: "bar" },
        field(
          "Change",
          choice(
            levers,
            value("change", "prevalence"),
            (change) => {
              update({ change, at: null });
              this.pull();
            },
            { id: "change" },
          ),
        ),
        field(
          "Measures",
          choice(
            sets,
            value("set"),
            (set) => {
              update({ set });
              this.remeasure();
            },
            { id: "what-if-set" },
          ),
        ),
      ),
      this.lever,
      this.matrices,
      this.reactions,
    );
  }

  async remeasure() {
    this.measures = chosenMeasures(
      this.known,
      await scorecardNames(this.matrix.labels.length),
      this.matrix.labels.length,
    );
    this.pull();
  }

  pull() {
    const kind = value("change", "prevalence");
    const draw = { prevalence: () => this.prevalence(), move: () => this.moving(), threshold: () => this.threshold() }[
      kind
    ];
    if (draw) draw();
  }

  prevalence() {
    const { labels, counts } = this.matrix;
    const chosen = Math.max(0, labels.indexOf(value("of", labels.at(-1))));
    const share = trueSizes(counts)[chosen] / total(counts);
    // At 0% and 100% a class has no items. Measures then leave it out, or follow a rule for 0/0, and their curves jump.
    const shares = withPoint([LEAST_SHARE, ...Array.from({ length: 99 }, (_, k) => (k + 1) / 100), 1 - LEAST_SHARE], share);
    const pick = element(
      "div",
      { class: "bar" },
      field(
        "Class",
        choice(
          labels,
          labels[chosen],
          (of) => {
            update({ of, at: null });
            this.pull();
          },
          { id: "of" },
        ),
      ),
    );
    this.run({
      pick,
      positions: shares,
      start: shares.indexOf(share),
      at: (position) => atPrevalence(counts, chosen, position),
      title: `Share of “${labels[chosen]}” among the true classes`,
      text: (position) => percent(position),
      ends: [percent(shares[0]), percent(shares.at(-1))],
      hint: "The rates within each true class stay as they are; only the sizes of the classes change.",
      xTicks: [shares[0], shares.at(-1)].map((end) => [end, percent(end)]),
    });
  }

  moving() {
    const { labels, counts } = this.matrix;
    const [from, to] = this.cells();
    const most = Math.floor(counts[from[0]][from[1]]);
    const step = stepOfMoves(most);
    const positions = withPoint(
      Array.from({ length: Math.floor(most / step) + 1 }, (_, k) => k * step),
      most,
    );
    const cells = labels.flatMap((label, i) =>
      labels.map((other, j) => [`${i},${j}`, `true ${label}, predicted ${other} (${count(counts[i][j])})`]),
    );
    const pick = element(
      "div",
      { class: "bar" },
      field(
        "From",
        choice(
          cells,
          from.join(","),
          (cell) => {
            update({ from: cell, at: null });
            this.pull();
          },
          { id: "from" },
        ),
      ),
      field(
        "To",
        choice(
          cells,
          to.join(","),
          (cell) => {
            update({ to: cell, at: null });
            this.pull();
          },
          { id: "to" },
        ),
      ),
    );
    if (most === 0 || from.join() === to.join()) {
      return this.nothing(
        pick,
        most === 0
          ? "That cell is empty, so there is nothing to move. Choose another cell to move items from."
          : "Choose two different cells.",
      );
    }
    return this.run({
      pick,
      positions,
      start: 0,
      at: (position) => moved(counts, from, to, position),
      marked: [from, to],
      title: "Items moved",
      text: (position) => `${count(position)} of ${count(most)}`,
      ends: ["none", "all"],
      hint:
        from[0] === to[0]
          ? "The items keep their true class; the classifier predicts another class for them."
          : "The items change their true class too.",
    });
  }

  cells() {
    const read = (text) => text.split(",").map(Number);
    const { counts } = this.matrix;
    const valid = ([i, j]) => counts[i]?.[j] !== undefined;
    const largest = counts
      .flatMap((row, i) => row.map((number, j) => [number, i, j]))
      .filter(([, i, j]) => i !== j)
      .sort((one, other) => other[0] - one[0])[0];
    const from = valid(read(value("from"))) ? read(value("from")) : [largest[1], largest[2]];
    const to = valid(read(value("to")))
      ? read(value("to"))
      : [from[0], from[0] === from[1] ? (from[0] + 1) % counts.length : from[0]];
    return [from, to];
  }

  threshold() {
    if (!this.sweep) {
      return this.nothing(
        null,
        this.settings.static
          ? "This matrix comes without scores. Start from an example that has scores to move the threshold."
          : "This matrix comes without scores. Open a file with a column of scores under “Your numbers”, or start from an example that has scores.",
      );
    }
    const { thresholds, labels } = this.sweep;
    const positions = thresholds.map((_, k) => k);
    const at = (k) => matrixAt(this.sweep, k).counts;
    const same = positions.find((k) => JSON.stringify(at(k)) === JSON.stringify(this.matrix.counts));
    const text = (k) => (thresholds[k] === null ? "above all scores" : decimal(thresholds[k]));
    const last = positions.length - 1;
    return this.run({
      pick: null,
      positions,
      start: same ?? middleOf(this.sweep),
      at,
      labels,
      title: "Threshold",
      text,
      ends: [`${text(0)}: few “${labels[1]}”`, `${text(last)}: many “${labels[1]}”`],
      hint: `An item is predicted as “${labels[1]}” where its score reaches the threshold.`,
      xTicks: [
        [0, "few"],
        [last, "many"],
      ],
    });
  }

  nothing(pick, sentence) {
    show(this.lever, pick, element("p", { class: "hint" }, sentence));
    show(this.matrices);
    show(this.reactions);
  }

  /** Draw a slider over positions, and the curve of every measure along it. */
  run({ pick, positions, start, at, title, text, ends, hint, marked = [], xTicks, labels = this.matrix.labels }) {
    const matrices = positions.map(at);
    const asked = Number(value("at", "NaN"));
    const first = Number.isInteger(asked) && asked >= 0 && asked < positions.length ? asked : start;
    const cards = this.measures.map((measure) => new Reaction(measure, positions, matrices, start, { title, xTicks }));
    const output = element("output", { id: freshId("slider-value") });
    const go = (index) => {
      output.textContent = text(positions[index]);
      slider.setAttribute("aria-valuetext", text(positions[index]));
      this.drawMatrices(matrices[start], matrices[index], marked, labels);
      for (const card of cards) card.go(index);
    };
    const slider = element("input", {
      type: "range",
      min: 0,
      max: positions.length - 1,
      value: first,
      id: "lever",
      input: (event) => {
        go(Number(event.target.value));
        update({ at: event.target.value });
      },
      change: () => announce(this.spoken(cards)),
    });
    slider.value = first;
    output.setAttribute("for", slider.id);
    show(
      this.lever,
      pick,
      element(
        "div",
        { class: "slider" },
        element(
          "div",
          { class: "bar between" },
          element("label", { for: slider.id }, `${title}: `, output),
          button(
            "Back to your matrix",
            () => {
              slider.value = start;
              go(start);
              update({ at: null });
            },
            { class: "small" },
          ),
        ),
        slider,
        element("div", { class: "ends", "aria-hidden": "true" }, ...ends.map((end) => element("span", {}, end))),
      ),
      element("p", { class: "hint" }, hint),
    );
    show(this.reactions, ...cards.map((card) => card.root));
    go(first);
  }

  spoken(cards) {
    return cards
      .slice(0, 3)
      .map((card) => `${card.measure.short ?? card.measure.title} ${card.reading.textContent}`)
      .join(", ");
  }

  drawMatrices(before, after, marked, labels) {
    if (before.length > LARGEST_SHOWN) return show(this.matrices);
    const rounded = after.map((row) => row.map((number) => Math.round(10 * number) / 10));
    return show(
      this.matrices,
      smallMatrix(before, { caption: "Your matrix", labels, marked }),
      element("span", { class: "then", "aria-hidden": "true" }, "→"),
      smallMatrix(rounded, { caption: "With the change", labels, marked }),
      element(
        "a",
        { class: "button", href: link("numbers", "", matrixValues({ labels, counts: rounded })) },
        "Use this matrix",
      ),
    );
  }
}

/** The curve of one measure along the slider. */
class Reaction {
  constructor(measure, positions, matrices, start, { title, xTicks }) {
    this.measure = measure;
    this.values = matrices.map((counts) => finite(valueOf(measure.name, counts)));
    this.start = this.values[start];
    const name = measure.short ?? measure.title;
    this.chart = new LineChart({
      xs: positions,
      series: [{ values: this.values }],
      range: measure.range,
      xTicks,
      label: `${name} along: ${title}`,
    });
    this.reading = element("span", { class: "now" });
    this.change = element("span", { class: "change" });
    this.root = element(
      "li",
      { class: "reaction", "data-measure": measure.name },
      measureLink(measure, { class: "name" }),
      element("div", { class: "reading" }, this.reading, this.change),
      this.chart.root,
    );
  }

  go(index) {
    const now = this.values[index];
    this.reading.textContent = decimal(now);
    const difference = now === null || this.start === null ? null : now - this.start;
    this.change.textContent = difference === null || Math.abs(difference) < 5e-4 ? "" : signed(difference);
    const good = this.measure.orientation === "lower" ? -difference : difference;
    this.change.className = `change ${good > 0 ? "better" : good < 0 ? "worse" : ""}`;
    this.chart.mark(index);
  }
}

/** Return sorted numbers with one more among them. */
function withPoint(numbers, point) {
  return numbers.includes(point) ? numbers : [...numbers, point].sort((one, other) => one - other);
}
