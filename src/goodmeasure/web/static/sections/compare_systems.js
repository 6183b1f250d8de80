// Compare systems: predictions of several systems on the same items, and what can be said about which is better.

import { config, file, givenFile, Refusal, send, wordsFor, whileShown } from "../api.js";
import { catalogue, measureLink, positiveChoice } from "../catalogue.js";
import { intervalPlot } from "../charts.js";
import { copyables } from "../copying.js";
import { announce, button, choice, dropArea, element, field, fileButton, problem, scrolling, show, waiting } from "../dom.js";
import { opened, readFile } from "../reading.js";
import { table } from "../table.js";
import { counted, decimal, signed } from "../writing.js";
import { columnForm, tableChoice } from "./file_columns.js";
import { optionsForm } from "./options_form.js";

const FORMATS = { html: "HTML page", markdown: "Markdown", latex: "LaTeX", json: "JSON", csv: "CSV" };

const SHOWN_FLIPS = 5;

/** Show the section. */
export async function open(root) {
  const [known, settings] = await Promise.all([catalogue(), config()]);
  new Systems(root, { known, settings }).begin();
}

class Systems {
  constructor(root, parts) {
    Object.assign(this, parts, { root });
    this.columns = element("div");
    this.result = element("div", { class: "stack", id: "comparison" });
    this.file = null;
    this.options = {};
    this.asked = 0; // the newest question; answers to older ones are dropped
  }

  begin() {
    const read = (file) => this.read(file);
    const { names, endings } = this.settings.files;
    const about =
      "Drop a file here with one row for each item: a column of true labels and a column of predictions " +
      `for each system (${names.join(", ")}).`;
    const label = "File with predictions of several systems";
    const choose = fileButton("Choose a file…", label, "systems-file", endings, read, { class: "primary" });
    const lead = "Which system is better, and is the difference more than chance? The file stays on your machine.";
    show(
      this.root,
      element("h1", {}, "Compare systems"),
      element("p", { class: "lead" }, lead),
      element(
        "div",
        { class: "stack" },
        dropArea(
          "File",
          read,
          element(
            "div",
            { class: "drop" },
            element("p", {}, about),
            element("div", { class: "bar" }, choose, this.demoButton()),
          ),
          this.columns,
        ),
        this.result,
      ),
    );
    if (opened.answer?.kind === "predictions") this.use(opened.file, opened.answer);
    else if (this.settings.file && !opened.answer) this.read(givenFile(this.settings.file.name));
  }

  demoButton() {
    return button("Try it with the demo", async () => {
      const turn = (this.asked += 1);
      this.say("Reading the demo…");
      try {
        const demo = await file("demo.csv");
        if (turn === this.asked) this.read(demo, { positive: "eight" });
      } catch (error) {
        if (turn === this.asked) this.refuse(error);
      }
    });
  }

  async read(chosen, columns = {}) {
    if (!chosen) return;
    this.asked += 1;
    this.say(`Reading ${chosen.name}…`);
    if (chosen !== this.file) show(this.columns); // they are those of another file
    this.file = chosen;
    try {
      const answer = await readFile(chosen, columns);
      if (answer && this.root.isConnected) this.use(chosen, answer);
    } catch (error) {
      this.refuse(error);
    }
  }

  use(file, answer) {
    this.file = file;
    if (answer.kind === "matrix") {
      this.refuse(
        new Refusal({
          message:
            "This file holds a confusion matrix. A comparison needs the predictions of each system for every item.",
        }),
      );
      return;
    }
    if (answer.problem || !answer.systems.length) {
      const asked = {
        ...answer,
        problem: answer.problem ?? "This file has scores. Which columns hold predicted labels?",
      };
      show(this.result);
      show(
        this.columns,
        columnForm(file, asked, (columns) => this.read(file, columns)),
      );
      return;
    }
    this.chosen = new Set(answer.systems);
    this.draw(file, answer);
    this.compare(file, answer);
  }

  draw(file, answer) {
    const others = answer.columns.filter(
      (column) => column !== answer.true && !answer.scores?.includes(column) && !answer.offered.includes(column),
    );
    const box = (system, k) => {
      const input = element("input", {
        type: "checkbox",
        id: `system-${k}`,
        checked: this.chosen.has(system),
        change: (event) => {
          if (event.target.checked) this.chosen.add(system);
          else this.chosen.delete(system);
          this.compare(file, answer);
        },
      });
      return element("div", { class: "option" }, input, element("label", { for: input.id }, system));
    };
    const unlikely = element(
      "details",
      {},
      element("summary", {}, "Other columns"),
      element("p", { class: "hint" }, "Most of their values are not among the true labels, or they were not looked at."),
      element("div", { class: "systems" }, ...others.map((system, k) => box(system, answer.offered.length + k))),
    );
    const again = (columns) => this.read(file, { true: answer.true, pred: answer.systems, ...columns });
    show(
      this.columns,
      element("h2", {}, `${file.name}: ${counted(answer.n, "item")}`),
      element(
        "div",
        { class: "bar" },
        field(
          "True labels",
          choice(answer.columns, answer.true, (column) => again({ true: column, pred: [] }), { id: "systems-true" }),
        ),
        tableChoice(answer, "systems-table", (table) => this.read(file, { table })),
        positiveChoice(answer, "systems-positive", (positive) => again({ positive })),
      ),
      element("fieldset", { class: "systems" }, element("legend", {}, "Systems"), ...answer.offered.map(box)),
      others.length ? unlikely : null,
      optionsForm("Options", this.settings.options.compare, this.options, (options) => {
        this.options = options;
        this.compare(file, answer);
      }),
      ...(answer.notes ?? []).map((note) => element("p", { class: "hint" }, note)),
    );
  }

  query(file, answer) {
    const ordered = answer.columns.filter((column) => this.chosen.has(column));
    const query = { name: file.name, true: answer.true, pred: ordered, ...this.options };
    if (answer.table) query.table = answer.table;
    return answer.positive ? { ...query, positive: answer.positive } : query;
  }

  async compare(file, answer) {
    const turn = (this.asked += 1);
    if (this.chosen.size < 2) {
      show(
        this.result,
        element("section", { class: "card" }, element("p", {}, "Choose at least two systems to compare.")),
      );
      return;
    }
    this.say("Comparing the systems…");
    try {
      const comparison = await send("compare", file, this.query(file, answer), { signal: whileShown() });
      if (turn === this.asked) this.show(comparison, file, answer);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (turn === this.asked) this.refuse(error);
    }
  }

  say(sentence) {
    show(this.result, element("div", { class: "card" }, waiting(sentence)));
  }

  refuse(error) {
    show(this.result, problem(wordsFor(error, "The file could not be read.")));
  }

  // ── the answer ─────────────────────────────────────────────────────────────────────────────────────────────────

  show(comparison, file, answer) {
    this.short = comparison.short;
    announce(comparison.verdict[0] ?? "The comparison is ready.");
    show(
      this.result,
      element(
        "section",
        { class: "card verdict-box", id: "verdict" },
        element("h2", {}, "Verdict"),
        ...comparison.verdict.map((sentence) => element("p", {}, sentence)),
        this.download(file, answer),
      ),
      this.scoresCard(comparison),
      this.differencesCard(comparison),
      this.flipsCard(comparison),
      element(
        "section",
        { class: "card" },
        element("h2", {}, "How to reproduce these numbers"),
        ...copyables([
          ["Python", comparison.python],
          ["Command line", comparison.command],
        ]),
        ...(comparison.notes ?? []).map((note) => element("p", { class: "hint" }, note)),
      ),
    );
  }

  download(file, answer) {
    const said = element("p", { role: "alert", class: "problem", hidden: true });
    const formats = this.settings.formats.map(({ ending, name }) => [ending, FORMATS[name] ?? name]);
    const format = choice(formats, "html", () => {}, { id: "report-format" });
    const get = async () => {
      press.disabled = true;
      said.hidden = true;
      try {
        const got = await send("report", file, { ...this.query(file, answer), format: format.value }, { raw: true });
        await saveBlob(await got.blob(), nameOf(got, file, format.value));
        announce("The report was downloaded.");
      } catch (error) {
        said.hidden = false;
        said.textContent = wordsFor(error, "The report could not be made.");
      } finally {
        press.disabled = false;
      }
    };
    const press = button("Download the report", get, { class: "primary" });
    return element("div", {}, element("div", { class: "bar" }, field("Report", format), press), said);
  }

  nameOf(measure) {
    const short = this.short?.[measure] ?? measure; // a measure with parameters of its own is not in the catalogue
    return this.known.measure.get(measure) ?? { name: measure, title: short, short };
  }

  scoresCard({ systems, measures, scores, winners, best }) {
    const of = (measure, system) => scores.find((score) => score.measure === measure && score.system === system);
    const columns = [
      {
        title: "Measure",
        head: true,
        key: (measure) => this.nameOf(measure).title,
        cell: (measure) => measureLink(this.nameOf(measure)),
      },
      ...systems.map((system) => ({
        title: system,
        numeric: true,
        key: (measure) => of(measure, system)?.value ?? null,
        cell: (measure) =>
          scoreCell(of(measure, system), {
            measure: this.nameOf(measure),
            best: best?.[measure]?.includes(system),
            among: winners?.[measure]?.includes(system),
          }),
      })),
    ];
    return element(
      "section",
      { class: "card" },
      element("h2", {}, "Scores"),
      element(
        "p",
        { class: "hint" },
        "★ is the best value. ~ is not significantly worse than the best. The band is the confidence interval.",
      ),
      scrolling(
        "Scores of the systems",
        table(columns, measures, { caption: "Scores of the systems", hiddenCaption: true }),
      ),
    );
  }

  differencesCard({ differences, measures }) {
    const shown = measures.filter((measure) => differences.some((one) => one.measure === measure));
    const place = element("div");
    const draw = (measure) => {
      const rows = differences.filter((one) => one.measure === measure);
      const widest = Math.max(
        ...rows
          .flatMap((one) => [one.low, one.high, one.difference])
          .filter(Number.isFinite)
          .map(Math.abs),
        1e-9,
      );
      const columns = [
        { title: "Pair", head: true, key: (one) => one.a, cell: (one) => `${one.a} − ${one.b}` },
        { title: "Difference", numeric: true, key: (one) => one.difference, cell: (one) => signed(one.difference) },
        {
          title: "Interval",
          numeric: true,
          className: "soft",
          cell: (one) => (one.low === null ? "–" : `${decimal(one.low)} to ${decimal(one.high)}`),
        },
        {
          title: "Around 0",
          cell: (one) =>
            intervalPlot(
              { value: one.difference, low: one.low, high: one.high, chance: null, range: [-widest, widest] },
              `${one.a} minus ${one.b}: ${signed(one.difference)}`,
            ),
        },
        { title: "p", numeric: true, key: (one) => one.p, cell: (one) => pValue(one.p) },
        { title: "p, corrected", numeric: true, key: (one) => one.p_corrected, cell: (one) => pValue(one.p_corrected) },
        {
          title: "Significant",
          key: (one) => (one.significant ? 0 : 1),
          cell: (one) => (one.significant ? "yes" : "no"),
        },
      ];
      show(
        place,
        scrolling(
          "Differences",
          table(columns, rows, { caption: "Differences between pairs of systems", hiddenCaption: true }),
        ),
      );
    };
    if (!shown.length) return null;
    const first = shown.includes("mcc") ? "mcc" : shown[0];
    draw(first);
    return element(
      "section",
      { class: "card" },
      element("h2", {}, "Differences"),
      element(
        "div",
        { class: "bar" },
        field(
          "Measure",
          choice(
            shown.map((name) => [name, this.nameOf(name).title]),
            first,
            draw,
            { id: "difference-measure" },
          ),
        ),
      ),
      place,
    );
  }

  flipsCard({ flips }) {
    const item = ({ text, why }) => element("li", {}, text, why ? element("span", { class: "reason" }, why) : null);
    const [first, rest] = [flips.slice(0, SHOWN_FLIPS), flips.slice(SHOWN_FLIPS)];
    return element(
      "section",
      { class: "card" },
      element("h2", {}, "Where the measures disagree"),
      flips.length
        ? element("ul", {}, ...first.map(item))
        : element("p", {}, "All measures order the systems in the same way."),
      rest.length
        ? element("details", {}, element("summary", {}, `${rest.length} more`), element("ul", {}, ...rest.map(item)))
        : null,
    );
  }
}

function scoreCell(score, { measure, best, among }) {
  if (!score) return "–";
  const mark = best ? " ★" : among ? " ~" : "";
  return element(
    "div",
    { class: "score-cell" },
    element("span", { class: best ? "big" : "" }, `${decimal(score.value)}${mark}`),
    intervalPlot(
      { ...score, chance: null, range: measure.range },
      `${score.system}: ${decimal(score.low)} to ${decimal(score.high)}`,
    ),
  );
}

function pValue(p) {
  if (p === null || p === undefined) return "–";
  return p < 0.001 ? "< 0.001" : decimal(p);
}

function nameOf(response, file, format) {
  const given = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "");
  return given ? given[1] : `${file.name.replace(/\.[^.]*$/, "")}.report.${format}`;
}

async function saveBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = element("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
