// The confusion matrix as a table of fields: the arrow keys move between cells, a pasted block fills the table.

import { announce, button, element, freshId, show } from "./dom.js";
import {
  LARGEST_EDITED,
  pastedMatrix,
  predictedSizes,
  renamed,
  total,
  trueSizes,
  withClass,
  withCount,
  withoutClass,
} from "./matrix.js";
import { count, counted, typedNumber } from "./writing.js";

/** An editable confusion matrix; `changed` is called with every new matrix. */
export class MatrixEditor {
  constructor(matrix, mostClasses, changed) {
    Object.assign(this, { matrix, mostClasses, changed });
    this.wrong = new Map();
    this.table = element("div", { class: "scroll", tabindex: "-1" });
    this.problem = element("p", { class: "problem", role: "alert", id: freshId("matrix-problem"), hidden: true });
    this.root = element(
      "div",
      { class: "matrix-editor", paste: (event) => this.pasted(event) },
      this.table,
      this.problem,
    );
    this.draw();
  }

  /** Show another matrix. */
  show(matrix) {
    this.matrix = matrix;
    this.wrong.clear();
    this.say();
    this.draw();
  }

  draw() {
    const { labels, counts } = this.matrix;
    if (labels.length > LARGEST_EDITED) return show(this.table, this.tooLarge());
    this.totals = { rows: [], columns: [] };
    const heads = labels.map((label, j) => element("th", { scope: "col" }, this.nameField(label, j, "predicted")));
    const top = element(
      "tr",
      {},
      element(
        "td",
        { class: "corner" },
        element("span", { class: "true-side" }, "true ↓"),
        element("span", {}, "predicted →"),
      ),
      ...heads,
      element("th", { scope: "col", class: "sum" }, "total"),
    );
    const rows = counts.map((row, i) => this.row(labels[i], row, i));
    const bottom = element(
      "tr",
      { class: "sum" },
      element("th", { scope: "row" }, "total"),
      ...labels.map((_, j) => this.sumCell("columns", j)),
      (this.all = element("td")),
    );
    show(
      this.table,
      element(
        "table",
        { class: "counts" },
        element(
          "caption",
          { class: "aside" },
          "Confusion matrix: rows are true classes, columns are predicted classes",
        ),
        element("thead", {}, top),
        element("tbody", {}, ...rows),
        element("tfoot", {}, bottom),
      ),
    );
    this.shade();
    return this.table;
  }

  tooLarge() {
    const { labels, counts } = this.matrix;
    const pairs = counts
      .flatMap((row, i) => row.map((number, j) => [number, i, j]))
      .filter(([number, i, j]) => i !== j && number > 0)
      .sort((one, other) => other[0] - one[0])
      .slice(0, 12);
    return element(
      "div",
      {},
      element(
        "p",
        {},
        `This matrix has ${counted(labels.length, "class", "classes")}: too many to edit here. ` +
          "Its most frequent confusions are:",
      ),
      element(
        "ol",
        {},
        ...pairs.map(([number, i, j]) =>
          element("li", {}, `${labels[i]} predicted as ${labels[j]}: ${counted(number, "item")}`),
        ),
      ),
    );
  }

  row(label, row, i) {
    const cells = row.map((number, j) => element("td", {}, this.cell(number, i, j)));
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, this.nameField(label, i, "true")),
      ...cells,
      this.sumCell("rows", i),
    );
  }

  sumCell(side, index) {
    const cell = element("td", { class: "sum" });
    this.totals[side][index] = cell;
    return cell;
  }

  cell(number, i, j) {
    const { labels } = this.matrix;
    return element("input", {
      class: "cell",
      value: String(number),
      inputmode: "decimal",
      autocomplete: "off",
      "data-row": i,
      "data-column": j,
      "aria-label": `True ${labels[i]}, predicted ${labels[j]}`,
      "aria-describedby": this.problem.id,
      input: (event) => this.typed(event.target, i, j),
      focus: (event) => event.target.select(),
      keydown: (event) => this.moved(event, i, j),
    });
  }

  nameField(label, index, side) {
    const field = element("input", {
      class: "name",
      value: label,
      autocomplete: "off",
      spellcheck: "false",
      title: label,
      "aria-label": side === "true" ? `Name of class ${index + 1}` : `Name of class ${index + 1}, as predicted`,
      "data-name": side,
      "data-row": side === "true" ? index : -1,
      "data-column": side === "true" ? -1 : index,
      change: (event) => this.rename(event.target, index),
      keydown: (event) => this.moved(event, side === "true" ? index : -1, side === "true" ? -1 : index),
    });
    if (side !== "true" || this.matrix.labels.length <= 2) return field;
    return element(
      "span",
      { class: "name-and-remove" },
      field,
      button("×", () => this.remove(index), {
        class: "remove",
        "aria-label": `Remove class ${label}`,
        title: `Remove class ${label}`,
      }),
    );
  }

  typed(field, i, j) {
    const number = typedNumber(field.value);
    const place = `${i},${j}`;
    if (!(number >= 0)) {
      this.wrong.set(place, field.value.trim() === "" ? "" : `“${field.value}” is not a count of 0 or more.`);
      field.setAttribute("aria-invalid", "true");
    } else {
      this.wrong.delete(place);
      field.removeAttribute("aria-invalid");
      this.matrix = withCount(this.matrix, i, j, number);
      this.shade();
    }
    this.say([...this.wrong.values()].find((message) => message));
    if (this.wrong.size === 0) this.changed(this.matrix);
  }

  rename(field, index) {
    const name = field.value.trim();
    const taken = this.matrix.labels.some((label, i) => i !== index && label === name);
    if (name === "" || taken) {
      this.say(name === "" ? "A class needs a name." : `There is already a class “${name}”.`);
      field.setAttribute("aria-invalid", "true");
      return;
    }
    this.replace(renamed(this.matrix, index, name), `Class ${index + 1} is now called ${name}.`);
  }

  remove(index) {
    const name = this.matrix.labels[index];
    this.replace(withoutClass(this.matrix, index), `Removed class ${name}.`);
    this.table.querySelector("input.cell")?.focus();
  }

  /** Add an empty class and go to its name. */
  add() {
    if (this.matrix.labels.length >= Math.min(LARGEST_EDITED, this.mostClasses))
      return this.say(`At most ${LARGEST_EDITED} classes can be edited here.`);
    this.replace(withClass(this.matrix), "Added a class.");
    const field = [...this.table.querySelectorAll("input[data-name=true]")].at(-1);
    field?.focus();
    return field?.select();
  }

  replace(matrix, said) {
    const focused = document.activeElement;
    const place = this.table.contains(focused) ? [focused.dataset.row, focused.dataset.column] : null;
    this.show(matrix);
    if (place) this.field(...place)?.focus(); // the table is new; whoever was tabbing through it stays where they were
    announce(said);
    this.changed(matrix);
  }

  pasted(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n;,|]|\d\s+\d/.test(text.trim()) || !Number.isNaN(typedNumber(text))) return; // one number goes into one cell
    event.preventDefault();
    const { matrix, problem } = pastedMatrix(text, this.mostClasses);
    if (problem) this.say(problem);
    else this.replace(matrix, `Pasted a matrix of ${matrix.labels.length} classes.`);
  }

  moved(event, i, j) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const field = event.target;
    const all = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    const edge = event.key === "ArrowLeft" ? field.selectionEnd === 0 : field.selectionStart === field.value.length;
    if (step[1] !== 0 && !all && !edge) return; // the caret moves within the text first
    const next = this.field(i + step[0], j + step[1]);
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select();
  }

  field(row, column) {
    return this.table.querySelector(`input[data-row="${row}"][data-column="${column}"]`);
  }

  shade() {
    const { counts } = this.matrix;
    const rows = trueSizes(counts);
    const columns = predictedSizes(counts);
    for (const field of this.table.querySelectorAll("input.cell")) {
      const [i, j] = [Number(field.dataset.row), Number(field.dataset.column)];
      field.parentElement.className = shadeOf(counts[i][j], rows[i], i === j);
    }
    rows.forEach((size, i) => {
      this.totals.rows[i].textContent = count(size);
    });
    columns.forEach((size, j) => {
      this.totals.columns[j].textContent = count(size);
    });
    this.all.textContent = count(total(counts));
  }

  say(message = "") {
    this.problem.hidden = !message;
    this.problem.textContent = message;
  }
}

/** Return the classes of a cell that shade it by its share of the row. */
export function shadeOf(number, rowTotal, hit) {
  const step = rowTotal > 0 && number > 0 ? Math.max(1, Math.round((10 * number) / rowTotal)) : 0;
  return `${hit ? "hit" : "miss"} shade-${step}`;
}

/** Return a small matrix to read, as counterexamples show it; `marked` are cells to point at. */
export function smallMatrix(counts, { caption, labels, marked = [] } = {}) {
  const rows = trueSizes(counts);
  const isMarked = (i, j) => marked.some(([row, column]) => row === i && column === j);
  const body = counts.map((row, i) =>
    element(
      "tr",
      {},
      labels ? element("th", { scope: "row" }, labels[i]) : null,
      ...row.map((number, j) =>
        element(
          "td",
          {
            class: `${shadeOf(number, rows[i], i === j)}${isMarked(i, j) ? " marked" : ""}`,
          },
          count(number),
        ),
      ),
    ),
  );
  const head = labels
    ? element(
        "thead",
        {},
        element("tr", {}, element("td"), ...labels.map((label) => element("th", { scope: "col" }, label))),
      )
    : null;
  return element(
    "table",
    { class: "small-matrix" },
    caption ? element("caption", {}, caption) : null,
    head,
    element("tbody", {}, ...body),
  );
}
