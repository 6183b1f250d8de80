// Your numbers: a confusion matrix to edit, and its scorecard beside it.

import { config, data, givenFile } from "../api.js";
import { catalogue, startingMatrix } from "../catalogue.js";
import { announce, button, choice, complain, dropArea, element, field, fileButton, show } from "../dom.js";
import { keepMatrix, pastedMatrix, sameMatrix } from "../matrix.js";
import { MatrixEditor } from "../matrix_editor.js";
import { opened } from "../reading.js";
import { value } from "../state.js";
import { counted } from "../writing.js";
import { OpenedFile } from "./opened_file.js";
import { Scorecard } from "./scorecard.js";

/** Show the section. */
export async function open(root) {
  const [{ matrix, example }, examples, known, settings] = await Promise.all([
    startingMatrix(),
    data("examples.json"),
    catalogue(),
    config(),
  ]);
  if (settings.static) await data("proportions.json"); // nothing is asked for once a file is open
  const view = new Numbers(root, { examples, known, settings });
  view.begin(matrix, example);
}

class Numbers {
  constructor(root, { examples, known, settings }) {
    Object.assign(this, { root, examples, settings });
    this.about = element("p", { class: "hint" });
    this.problem = element("p", { class: "problem", role: "alert", hidden: true });
    this.file = new OpenedFile((matrix, source, said) => this.take(matrix, source, said));
    this.scorecard = new Scorecard({ examples, known, settings, refused: (words) => this.refuse(words) });
  }

  begin(matrix, example) {
    this.editor = new MatrixEditor(matrix, this.settings.limits.classes, (changed) => this.changed(changed));
    this.picker = choice(
      [["", "your own matrix"], ...this.examples.map((one) => [one.id, one.title])],
      example?.id ?? "",
      (id) => this.startFrom(id),
      { id: "example" },
    );
    this.columns = element(
      "div",
      { class: "columns numbers-columns" },
      this.matrixCard(),
      this.scorecard.scores,
      this.scorecard.rest,
    );
    const lead = "Edit the confusion matrix and see what every measure makes of it, while you type.";
    show(this.root, element("h1", {}, "Your numbers"), element("p", { class: "lead" }, lead), this.columns);
    this.shape(matrix);
    this.describe(example);
    this.scorecard.evaluate(matrix);
    this.showFile();
  }

  /** Show the file that is open, perhaps by another section, unless the counts come from elsewhere. */
  showFile() {
    const isFree = !value("counts");
    if (opened.answer && (isFree || value("source") === "file")) {
      if (opened.isTaken && !isFree) this.file.show();
      else this.file.use(opened.answer, opened.file);
    } else if (this.settings.file && isFree) this.file.open(givenFile(this.settings.file.name));
  }

  matrixCard() {
    const { endings } = this.settings.files;
    const hint =
      "The arrow keys move between cells. Paste a block of cells from a spreadsheet anywhere in the table" +
      (this.settings.static
        ? ", or drop a CSV file of predictions here: it is read in your browser, and leaves it nowhere."
        : ", or drop a file of predictions here (CSV, Excel, Parquet and others).");
    this.pasteArea = element("div", { hidden: true });
    const open = (file) => this.file.open(file);
    return dropArea(
      "Confusion matrix",
      open,
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
        fileButton("Open a file…", "File with predictions or counts", "file", endings, open),
      ),
      this.pasteArea,
      this.file.root,
      element("p", { class: "hint" }, hint),
    );
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
    this.file.close();
    this.take(example.matrix, id, `${example.title}.`);
    this.describe(example);
  }

  take(matrix, source, said) {
    this.file.stop();
    this.editor.show(matrix);
    this.picker.value = this.examples.some((one) => one.id === source) ? source : "";
    this.describe(null);
    this.shape(matrix);
    keepMatrix(matrix, source);
    this.refuse(null);
    this.scorecard.evaluate(matrix);
    announce(said);
  }

  changed(matrix) {
    this.file.stop();
    const example = this.examples.find((one) => one.id === this.picker.value);
    const still = example && sameMatrix(example.matrix, matrix);
    if (!still) this.picker.value = "";
    this.describe(still ? example : null);
    this.shape(matrix);
    keepMatrix(matrix, still ? example.id : null);
    this.scorecard.evaluate(matrix);
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

  refuse(words) {
    this.problem.hidden = !words;
    this.problem.textContent = words ?? "";
  }
}
