// A file that is opened under "Your numbers": its counts, or the systems in it.

import { data, wordsFor } from "../api.js";
import { catalogue, matricesOf, positiveChoice } from "../catalogue.js";
import { choice, element, field, problem, scrolling, show, waiting } from "../dom.js";
import { interval } from "../intervals.js";
import { value as measured } from "../measuring.js";
import { opened, readFile, stopReading } from "../reading.js";
import { update, value } from "../state.js";
import { table } from "../table.js";
import { count, counted, decimal } from "../writing.js";
import { columnForm, tableChoice } from "./file_columns.js";

const OF_TWO = ["accuracy", "mcc", "recall", "precision"]; // measures of each slice
const OF_MORE = ["accuracy", "mcc", "macro(recall)", "macro(f1)"];

/** The file whose counts are shown; `take` is called with a matrix, where it comes from, and a sentence about it. */
export class OpenedFile {
  constructor(take) {
    this.take = take;
    this.root = element("div");
  }

  /** Forget the file. */
  close() {
    stopReading();
    show(this.root);
  }

  /** Give up a file that is being read, since other counts came first. */
  stop() {
    if (stopReading()) show(this.root);
  }

  /** Read a file; `columns` says which of its columns are what. */
  async open(file, columns = {}) {
    if (!file) return;
    show(this.root, waiting(`Reading ${file.name}…`));
    try {
      const answer = await readFile(file, columns);
      if (answer && this.root.isConnected) this.use(answer, file);
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error) {
    show(this.root, problem(wordsFor(error, "The file could not be read.")));
  }

  use(answer, file) {
    const { name } = file;
    if (answer.problem) {
      show(
        this.root,
        columnForm(file, answer, (columns) => this.open(file, columns)),
      );
      return;
    }
    opened.isTaken = true;
    if (answer.kind === "matrix") {
      show(this.root, element("p", { class: "hint" }, `The counts are those of ${name}.`));
      this.take(answer.matrix, "file", `Read the counts of ${name}.`);
      return;
    }
    const [[system, matrix]] = Object.entries(matricesOf(answer));
    this.take(matrix, "file", `Read ${name}.`);
    update({ system });
    this.show();
  }

  /** Show what is in the file, and let people choose. */
  show() {
    const { answer, file } = opened;
    if (answer.kind === "matrix") return;
    const matrices = matricesOf(answer);
    const systems = Object.keys(matrices);
    const again = (changes) => this.open(file, { true: answer.true, pred: answer.systems, ...changes });
    const pickSystem = (system) => {
      this.take(matrices[system], "file", `Counts of ${system}.`);
      update({ system });
    };
    const pickTruth = (column) => again({ true: column, pred: [] });
    const items = answer.n === null ? "" : `${counted(answer.n, "item")}, `;
    show(
      this.root,
      element(
        "div",
        { class: "answer" },
        element("p", {}, element("b", {}, file.name), `: ${items}true labels in column “${answer.true}”.`),
        element(
          "div",
          { class: "bar" },
          systems.length > 1
            ? field("System", choice(systems, value("system", systems[0]), pickSystem, { id: "system" }))
            : null,
          field("True labels", choice(answer.columns, answer.true, pickTruth, { id: "true-column" })),
          tableChoice(answer, "table", (table) => this.open(file, { table })),
          positiveChoice(answer, "positive", (positive) => again({ positive })),
        ),
        ...(answer.notes ?? []).map((note) => element("p", { class: "hint" }, note)),
        answer.sliceable?.length ? this.slices(answer, value("system", systems[0])) : null,
      ),
    );
  }

  /** A choice of a column, and the usual measures of a system in each of its slices. */
  slices(answer, system) {
    const place = element("div");
    const shown = Object.keys(answer.matrices).includes(system) ? system : Object.keys(answer.matrices)[0];
    if (!shown) return null;
    const draw = async (column) => {
      if (!column) return show(place);
      const names = answer.matrices[shown].labels.length === 2 ? OF_TWO : OF_MORE;
      const { measure } = await catalogue();
      const known = await data("proportions.json");
      const measures = names.map((name) => ({
        title: measure.get(name).short ?? measure.get(name).title,
        numeric: true,
        key: ({ counts }) => measured(name, counts),
        cell: ({ counts }) => {
          const ends = interval(name, counts, known);
          return decimal(measured(name, counts)) + (ends ? ` (${decimal(ends[0])} to ${decimal(ends[1])})` : "");
        },
      }));
      const first = [
        { title: column, head: true, key: ({ slice }) => slice, cell: ({ slice }) => slice },
        { title: "items", numeric: true, key: ({ n }) => n, cell: ({ n }) => count(n) },
      ];
      const caption = `${shown} by ${column}, with 95% intervals of each slice on its own`;
      return show(place, scrolling(caption, table([...first, ...measures], answer.slices(column, shown), { caption })));
    };
    const columns = [["", "no slices"], ...answer.sliceable];
    return element("div", {}, element("div", { class: "bar" }, field("Slices", choice(columns, "", draw, { id: "slices" }))), place);
  }
}
