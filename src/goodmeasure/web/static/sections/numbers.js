// Your numbers: a confusion matrix to edit, and its scorecard beside it.

import { ask, config, data, newest, Refusal, send } from "../api.js";
import { catalogue, measureLink, opened, scorecardNames, startingMatrix } from "../catalogue.js";
import { intervalPlot } from "../charts.js";
import { copyables } from "../copying.js";
import { announce, button, choice, complain, element, field, show } from "../dom.js";
import { keepMatrix, pastedMatrix, sameMatrix, total } from "../matrix.js";
import { MatrixEditor } from "../matrix_editor.js";
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

/** Show the section. */
export async function open(root) {
  const [{ matrix, example }, examples, known, settings] = await Promise.all([
    startingMatrix(),
    data("examples.json"),
    catalogue(),
    config(),
  ]);
  const view = new Numbers(root, { examples, known, settings });
  view.begin(matrix, example);
}

class Numbers {
  constructor(root, { examples, known, settings }) {
    Object.assign(this, { root, examples, known, settings });
    this.scores = element("div", { class: "tall" });
    this.rest = element("div", { class: "stack" });
    this.about = element("p", { class: "hint" });
    this.fileArea = element("div");
    this.problem = element("p", { class: "problem", role: "alert", hidden: true });
    this.evaluate = newest((signal, matrix) => this.evaluateNow(signal, matrix));
  }

  begin(matrix, example) {
    this.editor = new MatrixEditor(matrix, this.settings.limits.classes, (changed) => this.changed(changed));
    this.picker = choice(
      [["", "your own matrix"], ...this.examples.map((one) => [one.id, one.title])],
      example?.id ?? "",
      (id) => this.startFrom(id),
      { id: "example" },
    );
    show(
      this.root,
      element("h1", {}, "Your numbers"),
      element(
        "p",
        { class: "lead" },
        "Edit the confusion matrix and see what every measure makes of it, while you type.",
      ),
      (this.columns = element("div", { class: "columns numbers-columns" }, this.matrixCard(), this.scores, this.rest)),
    );
    this.shape(matrix);
    this.describe(example);
    if (opened.answer && value("source") === "file") this.showFile();
    else if (this.settings.file && !value("counts")) this.openGiven();
    this.evaluateNow(undefined, matrix).catch((error) => this.refuse(error));
  }

  matrixCard() {
    const picked = element("input", {
      type: "file",
      class: "aside",
      id: "file",
      tabindex: "-1",
      "aria-label": "File with predictions or counts",
      change: (event) => this.openFile(event.target.files[0]),
    });
    const card = element(
      "section",
      {
        class: "card",
        "aria-label": "Confusion matrix",
        dragover: (event) => {
          event.preventDefault();
          card.classList.add("dragging");
        },
        dragleave: () => card.classList.remove("dragging"),
        drop: (event) => {
          event.preventDefault();
          card.classList.remove("dragging");
          this.openFile(event.dataTransfer.files[0]);
        },
      },
      element("h2", {}, "Confusion matrix"),
      element("div", { class: "bar" }, field("Start from", this.picker)),
      this.about,
      this.editor.root,
      this.problem,
      element(
        "div",
        { class: "bar" },
        button("Add a class", () => this.editor.add()),
        button("Paste…", () => this.togglePaste(), { "aria-expanded": "false", id: "paste" }),
        this.settings.static ? null : button("Open a file…", () => picked.click(), { id: "open-file" }),
        picked,
      ),
      (this.pasteArea = element("div", { hidden: true })),
      this.fileArea,
      element(
        "p",
        { class: "hint" },
        "The arrow keys move between cells. Paste a block of cells from a spreadsheet anywhere in the table" +
          (this.settings.static ? "." : ", or drop a CSV or Parquet file of predictions here."),
      ),
    );
    return card;
  }

  togglePaste() {
    const open = this.pasteArea.hidden;
    this.pasteArea.hidden = !open;
    document.getElementById("paste").setAttribute("aria-expanded", String(open));
    if (!open) return;
    const area = element("textarea", { class: "code", id: "pasted", spellcheck: "false", rows: 5 });
    const use = () => {
      const { matrix, problem } = pastedMatrix(area.value, this.settings.limits.classes);
      complain(area, problem);
      if (problem) return;
      this.togglePaste();
      this.take(matrix, "", `Read a matrix of ${counted(matrix.labels.length, "class", "classes")}.`);
    };
    show(
      this.pasteArea,
      field("Counts, one row of the matrix in each line", area, {
        hint: "Cells between tabs, commas, semicolons or spaces; names of classes may stand in the first row and the first column.",
        wide: true,
      }),
      element("div", { class: "bar" }, button("Use these counts", use, { class: "primary" })),
    );
    area.focus();
  }

  startFrom(id) {
    const example = this.examples.find((one) => one.id === id);
    if (!example) return;
    show(this.fileArea);
    this.take(example.matrix, id, `${example.title}.`);
    this.describe(example);
  }

  take(matrix, source, said) {
    this.editor.show(matrix);
    this.picker.value = this.examples.some((one) => one.id === source) ? source : "";
    this.describe(null);
    this.shape(matrix);
    keepMatrix(matrix, source);
    this.refuse(null);
    this.evaluate(matrix);
    announce(said);
  }

  changed(matrix) {
    const example = this.examples.find((one) => one.id === this.picker.value);
    const still = example && sameMatrix(example.matrix, matrix);
    if (!still) this.picker.value = "";
    this.describe(still ? example : null);
    this.shape(matrix);
    keepMatrix(matrix, still ? example.id : null);
    this.evaluate(matrix);
  }

  /** A larger matrix gets more room; a very large one stands above its scores. */
  shape({ labels }) {
    this.editor.root.classList.toggle("many", labels.length > 5);
    this.columns.classList.toggle("halves", labels.length > 5);
    this.columns.classList.toggle("stacked", labels.length > 9);
  }

  describe(example) {
    this.about.hidden = !example;
    this.about.textContent = example
      ? [example.about, example.cite ? `Source: ${example.cite}` : ""].join(" ").trim()
      : "";
  }

  refuse(error) {
    this.problem.hidden = !error;
    this.problem.textContent =
      error instanceof Refusal ? error.text : error ? "The matrix could not be evaluated." : "";
    if (error && !(error instanceof Refusal)) throw error;
  }

  // ── the scorecard ──────────────────────────────────────────────────────────────────────────────────────────────

  async evaluateNow(signal, matrix) {
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
      this.refuse(null);
      this.showScores(answer);
    } catch (error) {
      if (error.name !== "AbortError") this.refuse(error);
    }
  }

  /** What a static copy knows: the stored result of an example, or the values alone. */
  async computed(matrix) {
    const example = this.examples.find((one) => sameMatrix(one.matrix, matrix));
    if (example && !value("set")) return example.result;
    const { value: valueOf } = await import("../measuring.js");
    const names = value("set")
      ? this.known.measures.map((one) => one.name)
      : await scorecardNames(matrix.labels.length);
    const fitting = names
      .map((name) => this.known.measure.get(name))
      .filter((one) => one && (one.classes === null || one.classes === matrix.labels.length));
    return {
      n: total(matrix.counts),
      warnings: [],
      by_class: [],
      scores: fitting.map((one) => ({
        ...one,
        measure: one.name,
        value: finite(valueOf(one.name, matrix.counts)),
        low: null,
        high: null,
        chance: null,
        reason: null,
      })),
    };
  }

  showScores(answer) {
    const focused = document.activeElement?.id;
    show(this.scores, this.scoreCard(answer));
    show(
      this.rest,
      answer.by_class?.length ? this.classCard(answer) : null,
      answer.python ? this.copyCard(answer) : null,
    );
    if (focused && this.scores.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus();
    this.scores.dataset.n = answer.n;
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
        this.settings.static
          ? null
          : field(
              "Confidence level",
              choice(CONFIDENCES, value("confidence", "0.95"), (confidence) => this.setTo({ confidence }), {
                id: "confidence",
              }),
            ),
      ),
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Scores" },
        scoreTable(rows, intervals),
      ),
      intervals
        ? scoreKey(majority)
        : element(
            "p",
            { class: "hint" },
            "A static copy has confidence intervals for the examples only; “goodmeasure explore” computes them for every matrix.",
          ),
      method ? element("p", { class: "hint" }, method) : null,
    );
  }

  setTo(changes) {
    update(changes);
    this.evaluate(this.editor.matrix);
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
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Scores of each class" },
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
    const whole = await ask("evaluate", { ...this.question(matrix), statement: true });
    if (place.isConnected)
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

  // ── files ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async openGiven() {
    try {
      this.useAnswer(await data("file.json"), this.settings.file.name, null);
    } catch (error) {
      this.refuse(error);
    }
  }

  async openFile(file, columns = {}) {
    if (!file || this.settings.static) return;
    show(this.fileArea, element("p", { class: "waiting-note", role: "status" }, `Reading ${file.name}…`));
    try {
      this.useAnswer(await send("upload", file, { name: file.name, ...columns }), file.name, file);
    } catch (error) {
      show(
        this.fileArea,
        element(
          "p",
          { class: "problem", role: "alert" },
          error instanceof Refusal ? error.text : "The file could not be read.",
        ),
      );
      if (!(error instanceof Refusal)) throw error;
    }
  }

  useAnswer(answer, name, file) {
    Object.assign(opened, { file, name, answer });
    if (answer.kind === "matrix") {
      show(this.fileArea, element("p", { class: "hint" }, `The counts are those of ${name}.`));
      this.take(answer.matrix, "file", `Read the counts of ${name}.`);
      return;
    }
    const [system] = Object.keys(answer.matrices);
    this.take(answer.matrices[system], "file", `Read ${counted(answer.n, "item")} from ${name}.`);
    update({ system });
    this.showFile();
  }

  showFile() {
    const { answer, file, name } = opened;
    if (answer.kind === "matrix") return;
    const systems = Object.keys(answer.matrices);
    const again = (changes) => this.openFile(file, { true: answer.true, ...changes });
    show(
      this.fileArea,
      element(
        "div",
        { class: "answer" },
        element(
          "p",
          {},
          element("b", {}, name),
          `: ${counted(answer.n, "item")}, true labels in column “${answer.true}”.`,
        ),
        element(
          "div",
          { class: "bar" },
          systems.length > 1
            ? field(
                "System",
                choice(
                  systems,
                  value("system", systems[0]),
                  (system) => {
                    this.take(answer.matrices[system], "file", `Counts of ${system}.`);
                    update({ system });
                  },
                  { id: "system" },
                ),
              )
            : null,
          file
            ? field(
                "True labels",
                choice(answer.columns, answer.true, (column) => again({ true: column }), { id: "true-column" }),
              )
            : null,
          answer.positive && file
            ? field(
                "Positive class",
                choice(answer.matrices[systems[0]].labels, answer.positive, (positive) => again({ positive }), {
                  id: "positive",
                }),
              )
            : null,
        ),
        ...(answer.notes ?? []).map((note) => element("p", { class: "hint" }, note)),
      ),
    );
  }
}

function scoreTable(rows, intervals) {
  const chance = (score) => (score.chance === null || score.chance === undefined ? "–" : decimal(score.chance));
  const columns = [
    {
      title: "Measure",
      head: true,
      key: (score) => score.short ?? score.title,
      cell: (score) => [
        measureLink({ name: score.measure, ...score }),
        score.reason ? element("span", { class: "reason" }, score.reason) : null,
      ],
    },
    {
      title: "Value",
      numeric: true,
      className: "big",
      key: (score) => score.value,
      cell: (score) => decimal(score.value),
    },
  ];
  if (intervals) {
    columns.push(
      { title: "Interval", numeric: true, className: "soft small hide-small", cell: (score) => intervalText(score) },
      { title: "On its range", cell: (score) => intervalPlot(score, plotLabel(score)) },
      { title: "Chance", numeric: true, className: "soft", key: (score) => score.chance, cell: chance },
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
  return table(columns, rows, { caption: "Scores", hiddenCaption: true, className: "scorecard" });
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
    "● value, with its confidence interval as a band; ┆ chance: random guessing with the same predicted class sizes." +
      (majority ? ` “Constant” is what always predicting “${majority}” gets.` : ""),
  );
}
