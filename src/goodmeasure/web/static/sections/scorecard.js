// The scorecard of a matrix: every measure's value with its interval, each class, and lines to take along.

import { ask, data, newest, whileShown, wordsFor } from "../api.js";
import { measureLink, scorecardNames, usable } from "../catalogue.js";
import { intervalPlot } from "../charts.js";
import { copyables } from "../copying.js";
import { announce, choice, element, field, scrolling, show, waiting } from "../dom.js";
import { sameMatrix, total, trueSizes } from "../matrix.js";
import { update, value } from "../state.js";
import { table } from "../table.js";
import { count, counted, decimal, finite, percent } from "../writing.js";

const CONFIDENCES = [
  ["0.9", "90%"],
  ["0.95", "95%"],
  ["0.99", "99%"],
];
const SETS = [
  ["", "Scorecard"],
  ["recommended", "Recommended"],
  ["all", "All measures"],
];

const SPEAKING_PAUSE = 1000;
const PAUSE = 15; // milliseconds after a key, in which another one may follow
const STATIC_PAUSE = 150; // where the page computes the intervals itself, which must not hold up the typing

/** The scores of the matrix that is edited; `refused` is called with what is wrong, or with null. */
export class Scorecard {
  constructor({ examples, known, settings, refused }) {
    Object.assign(this, { examples, known, settings, refused });
    this.scores = element("div", { class: "tall" }, element("div", { class: "card" }, waiting("Computing the scores…")));
    this.rest = element("div", { class: "stack" });
    this.sorted = null;
    this.ask = newest((signal, matrix) => this.evaluateNow(signal, matrix), settings.static ? STATIC_PAUSE : PAUSE);
  }

  /** Evaluate a matrix, unless a newer one comes. */
  evaluate(matrix) {
    this.preview(matrix);
    this.ask(matrix);
  }

  async evaluateNow(signal, matrix) {
    this.matrix = matrix;
    if (total(matrix.counts) === 0) {
      show(
        this.scores,
        element(
          "section",
          { class: "card" },
          element("h2", {}, "Scorecard"),
          element("p", {}, "All cells are 0. Enter some counts to see the scores."),
        ),
      );
      show(this.rest);
      return;
    }
    try {
      const answer = this.settings.static
        ? await this.computed(matrix)
        : await ask("evaluate", this.question(matrix), signal);
      this.refused(null);
      this.showScores(answer);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.refused(wordsFor(error, "The matrix could not be evaluated."));
    }
  }

  /** Show the values of a new matrix at once, as they are computed in the page; the rest follows from the server. */
  preview(matrix) {
    const table = this.scores.querySelector("table.scorecard");
    const fits = this.shown?.classes === matrix.labels.length && total(matrix.counts) > 0;
    if (!table || !fits || !this.measuring) return;
    for (const cell of table.querySelectorAll("[data-value-of]"))
      cell.textContent = decimal(finite(this.measuring.value(cell.dataset.valueOf, matrix.counts)));
    table.classList.add("stale");
  }

  /** What a static copy knows: the stored result of an example, or values and intervals that the page computes. */
  async computed(matrix) {
    const confidence = Number(value("confidence", "0.95"));
    const example = this.examples.find((one) => sameMatrix(one.matrix, matrix));
    if (example && !value("set") && confidence === 0.95) return example.result;
    const [{ value: valueOf }, { areQuick, interval }, proportions] = await Promise.all([
      import("../measuring.js"),
      import("../intervals.js"),
      data("proportions.json"),
    ]);
    const classes = matrix.labels.length;
    const names = value("set") ? this.known.measures.map((one) => one.name) : await scorecardNames(classes);
    const fitting = usable(
      names.map((name) => this.known.measure.get(name)).filter((one) => one),
      classes,
    );
    const quick = areQuick(fitting.length, classes);
    const sizes = trueSizes(matrix.counts);
    const largest = sizes.indexOf(Math.max(...sizes));
    const constant = matrix.counts.map((_, i) => sizes.map((_, j) => (j === largest ? sizes[i] : 0)));
    const scores = fitting.map((one) => {
      const [low, high] = (quick && interval(one.name, matrix.counts, proportions, confidence)) || [null, null];
      const measured = finite(valueOf(one.name, matrix.counts));
      const majority = finite(valueOf(one.name, constant));
      return { ...one, measure: one.name, value: measured, low, high, chance: null, majority, reason: null };
    });
    return {
      n: total(matrix.counts),
      warnings: [],
      by_class: [],
      scores,
      majority: matrix.labels[largest],
      method: quick
        ? "The intervals are computed in the page, by Wilson’s method for proportions and by the smoothed method otherwise."
        : null,
    };
  }

  showScores(answer) {
    const focused = document.activeElement?.id;
    if (!this.shown) import("../measuring.js").then((measuring) => Object.assign(this, { measuring })); // for previews
    this.shown = { classes: this.matrix.labels.length };
    show(this.scores, this.scoreCard(answer));
    show(
      this.rest,
      answer.by_class?.length ? this.classCard(answer) : null,
      answer.python ? this.copyCard(answer) : null,
    );
    if (focused && this.scores.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus();
    this.speak(answer);
  }

  /** Let a screen reader say the new score, once the typing has stopped. */
  speak({ scores }) {
    clearTimeout(this.speaking);
    const score = scores.find((one) => one.measure === "mcc") ?? scores[0];
    this.speaking = setTimeout(() => {
      if (score && this.scores.isConnected) announce(`${score.short ?? score.title} is ${decimal(score.value)}.`);
    }, SPEAKING_PAUSE);
  }

  scoreCard({ scores, warnings, n, majority, method }) {
    const intervals = scores.some((score) => score.low !== null && score.low !== undefined);
    const rows = scores.filter((score) => score.measure);
    return element(
      "section",
      { class: "card", "aria-labelledby": "scorecard-title", id: "scorecard" },
      element(
        "div",
        { class: "bar between" },
        element("h2", { id: "scorecard-title" }, "Scorecard"),
        element("span", { class: "soft" }, counted(n, "item")),
      ),
      warnings.length
        ? element(
            "ul",
            { class: "warnings", "aria-label": "Warnings" },
            ...warnings.map((one) => element("li", {}, one.text)),
          )
        : null,
      element(
        "div",
        { class: "bar" },
        field(
          "Measures",
          choice(this.settings.static ? [SETS[0], SETS[2]] : SETS, value("set"), (set) => this.setTo({ set }), {
            id: "set",
          }),
        ),
        field(
          "Confidence level",
          choice(CONFIDENCES, value("confidence", "0.95"), (confidence) => this.setTo({ confidence }), {
            id: "confidence",
          }),
        ),
      ),
      scrolling("Scores", this.scoreTable(rows, intervals)),
      intervals
        ? scoreKey(majority)
        : element(
            "p",
            { class: "hint" },
            "A static copy has no confidence intervals for so many classes and measures; “goodmeasure explore” has.",
          ),
      this.settings.static && rows.every((score) => (score.chance ?? null) === null)
        ? element(
            "p",
            { class: "hint" },
            "This is a static copy: chance levels, warnings and single classes are there for the examples. “goodmeasure explore” has them for every matrix.",
          )
        : null,
      method ? element("p", { class: "hint" }, method.endsWith(".") ? method : `${method}.`) : null,
    );
  }

  setTo(changes) {
    update(changes);
    this.evaluate(this.matrix);
  }

  classCard({ by_class: classes, n }) {
    const measures = classes[0].scores.map((score) => score.measure);
    const of = (row, name) => row.scores.find((score) => score.measure === name);
    const columns = [
      { title: "Class", cell: (row) => row.label, key: (row) => row.label, head: true },
      {
        title: "True",
        numeric: true,
        cell: (row) => element("span", { title: percent(row.true / n) }, count(row.true)),
        key: (row) => row.true,
      },
      { title: "Predicted", numeric: true, cell: (row) => count(row.predicted), key: (row) => row.predicted },
      ...measures.map((name) => ({
        title: this.known.measure.get(name)?.short ?? name,
        numeric: true,
        cell: (row) => element("span", { title: of(row, name).reason ?? "" }, decimal(of(row, name).value)),
        key: (row) => of(row, name).value,
      })),
    ];
    return element(
      "section",
      { class: "card" },
      element("h2", {}, "Each class against the rest"),
      tall(
        "Scores of each class",
        table(columns, classes, { caption: "Scores of each class against the rest", hiddenCaption: true }),
      ),
    );
  }

  copyCard(answer) {
    const place = element("div");
    const fold = element(
      "details",
      { open: this.taking, toggle: () => this.takeAlong(fold, place, answer) },
      element(
        "summary",
        {},
        element("b", {}, "Take it with you"),
        element("span", { class: "hint" }, " Python, command line, metric statement"),
      ),
      place,
    );
    return element("section", { class: "card" }, fold);
  }

  /** The statement takes the server a moment, so it is asked for where somebody wants to read it. */
  async takeAlong(fold, place, { matrix, python, command, statement }) {
    this.taking = fold.open;
    if (!fold.open) return;
    show(
      place,
      ...copyables([
        ["Metric statement", statement],
        ["Python", python],
        ["Command line", command],
      ]),
    );
    if (statement || this.settings.static) return;
    const whole = await ask("evaluate", { ...this.question(matrix), statement: true }, whileShown()).catch((error) => {
      if (error.name !== "AbortError") throw error;
    });
    if (whole && place.isConnected)
      show(
        place,
        ...copyables([
          ["Metric statement", whole.statement],
          ["Python", python],
          ["Command line", command],
        ]),
      );
  }

  question(matrix) {
    return { matrix, measures: value("set") || null, confidence: Number(value("confidence", "0.95")) };
  }

  scoreTable(rows, intervals) {
    const chance = (score) => (score.chance === null || score.chance === undefined ? "–" : decimal(score.chance));
    const columns = [
      {
        title: "Measure",
        head: true,
        key: (score) => score.short ?? score.title,
        cell: (score) => [
          measureLink({ name: score.measure, ...score }),
          intervals ? element("span", { class: "only-small" }, intervalText(score)) : null,
          score.reason ? element("span", { class: "reason" }, score.reason) : null,
        ],
      },
      {
        title: "Value",
        numeric: true,
        className: "big",
        key: (score) => score.value,
        cell: (score) => element("span", { "data-value-of": score.measure }, decimal(score.value)),
      },
    ];
    if (intervals) {
      columns.push(
        { title: "Interval", numeric: true, className: "soft small hide-small", cell: (score) => intervalText(score) },
        { title: "On its range", cell: (score) => intervalPlot(score, plotLabel(score)) },
        { title: "Chance", numeric: true, className: "soft hide-small", key: (score) => score.chance, cell: chance },
        {
          title: "Constant",
          numeric: true,
          className: "soft hide-small",
          key: (score) => score.majority,
          cell: (score) => (score.majority === undefined ? "–" : decimal(score.majority)),
        },
      );
    } else {
      columns.push({
        title: "Range",
        className: "soft",
        cell: (score) =>
          score.range ? score.range.map((end) => (end === null ? "∞" : decimal(end, 0))).join(" … ") : "–",
      });
    }
    return table(columns, rows, {
      caption: "Scores",
      hiddenCaption: true,
      className: "scorecard",
      sorted: this.sorted,
      changed: (sorted) => {
        this.sorted = sorted; // typing draws the table anew, in the same order
      },
    });
  }
}

/** A table that may have a row for each of very many classes. */
function tall(label, rows) {
  const region = scrolling(label, rows);
  region.classList.add("class-scores");
  return region;
}

function intervalText({ low, high }) {
  return low === null || low === undefined ? "–" : `${decimal(low)} to ${decimal(high)}`;
}

function plotLabel(score) {
  if (score.value === null) return `${score.title} is undefined.`;
  const interval = score.low === null || score.low === undefined ? "" : `, confidence interval ${intervalText(score)}`;
  return `${score.title} ${decimal(score.value)}${interval}`;
}

function scoreKey(majority) {
  return element(
    "p",
    { class: "hint" },
    "● value, with its confidence interval as a band; ┆ chance: random guessing with the same predicted class sizes.",
    majority
      ? element("span", { class: "hide-small" }, ` “Constant” is what always predicting “${majority}” gets.`)
      : null,
  );
}
