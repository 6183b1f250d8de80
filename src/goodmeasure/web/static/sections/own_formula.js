// A formula of one's own: its value, how it is written, and which properties it has, while it is typed.

import { ask, config, newest, Refusal, stream } from "../api.js";
import { copyables } from "../copying.js";
import { button, choice, complain, element, field, formula, show, waiting } from "../dom.js";
import { smallMatrix } from "../matrix_editor.js";
import { update, value } from "../state.js";
import { whereList } from "../symbols.js";
import { VerdictList } from "../verdicts.js";
import { decimal } from "../writing.js";

const EXAMPLES = [
  ["F1 score", "2*tp / (2*tp + fn + fp)"],
  ["Jaccard, with a rule for 0/0", "c.ratio(tp, tp + fn + fp, otherwise=1)"],
  ["Accuracy for any number of classes", "c.sum(lambda i: c[i, i]) / n"],
  ["Mean recall", "c.mean(lambda i: c[i, i] / c.a[i])"],
  ["Geometric mean of two rates", "sqrt(recall(c) * specificity(c))"],
];
const WORDS = [
  ["tp, fn, fp, tn", "the four cells of two classes"],
  ["n, m", "the number of items, the number of classes"],
  ["c[i, j]", "the number of items of true class i that are predicted as j"],
  ["c.a[i], c.b[i]", "the size of the true class i, of the predicted class i"],
  ["c.sum(lambda i: …), c.mean(…), c.least(…), c.greatest(…)", "over all classes"],
  ["x / y", "a division; undefined where y is 0"],
  ["c.ratio(x, y, otherwise=0)", "a division, with what it counts as where y is 0"],
  ["+ − * ^, sqrt, log, c.min, c.max, c.where(condition, x, y)", "arithmetic"],
  ["f1(c), recall(c.vs_rest(i)), …", "any measure of the catalogue"],
  ["half = tp / 2", "a name for a part, in a line of its own before the formula"],
];

/** The page of a formula that somebody types. */
export class OwnFormula {
  constructor(page, matrix) {
    Object.assign(this, { page, matrix });
    this.result = element("div", { "aria-live": "polite" });
    this.verdicts = new VerdictList("Properties of your formula");
    this.evaluate = newest((signal) => this.evaluateNow(signal), 80);
    this.check = newest((signal) => this.checkNow(signal), 700);
  }

  async begin() {
    this.settings = await config();
    this.text = element("textarea", {
      class: "code",
      id: "formula",
      spellcheck: "false",
      autocapitalize: "off",
      rows: 3,
      maxlength: this.settings.limits.formula_characters,
      value: value("formula", EXAMPLES[0][1]),
      input: () => this.typed(),
    });
    const options = element(
      "div",
      { class: "bar" },
      field(
        "Classes",
        choice(
          [
            ["2", "2 classes"],
            ["3", "3 classes"],
          ],
          value("classes", "2"),
          (classes) => {
            update({ classes });
            this.check();
          },
          { id: "own-classes" },
        ),
      ),
      field(
        "Domain",
        choice(
          [
            ["all", "all matrices"],
            ["regular", "every class in both labelings"],
          ],
          value("domain", "all"),
          (domain) => {
            update({ domain });
            this.check();
          },
          { id: "own-domain" },
        ),
      ),
    );
    show(
      this.page,
      element(
        "section",
        { class: "card" },
        element("h2", { class: "best-name", "data-focus": "" }, "Your own formula"),
        element(
          "p",
          {},
          "Write a measure as a formula of the confusion matrix c. Its value, its printed form and its properties appear while you type.",
        ),
        element(
          "div",
          { class: "chips" },
          ...EXAMPLES.map(([name, text]) => button(name, () => this.use(text), { class: "small" })),
        ),
        field("Formula", this.text, { wide: true }),
        (this.pointer = element("pre", { class: "where-position", hidden: true })),
        element(
          "details",
          {},
          element("summary", {}, "Words of the language"),
          element(
            "dl",
            { class: "facts" },
            ...WORDS.flatMap(([word, meaning]) => [
              element("dt", {}, element("code", {}, word)),
              element("dd", {}, meaning),
            ]),
          ),
        ),
        this.result,
      ),
      element(
        "section",
        { class: "card", id: "own-properties" },
        element("h2", {}, "Properties"),
        options,
        this.verdicts.root,
      ),
    );
    if (this.settings.static) return this.inStaticCopy();
    this.evaluate();
    return undefined;
  }

  inStaticCopy() {
    this.text.disabled = true;
    show(
      this.result,
      element(
        "p",
        { class: "hint" },
        "A static copy cannot read formulas. Install goodmeasure and type “goodmeasure explore”.",
      ),
    );
    this.verdicts.clear("");
  }

  use(text) {
    this.text.value = text;
    this.typed();
    this.text.focus();
  }

  typed() {
    update({ formula: this.text.value });
    this.verdicts.clear("Waiting until you stop typing…");
    this.evaluate();
  }

  async evaluateNow(signal) {
    const slow = setTimeout(
      () => show(this.result, waiting("Reading the formula…")),
      500,
    );
    try {
      const answer = await ask("formula", { text: this.text.value, matrix: this.matrix }, signal);
      this.point(null);
      show(this.result, ...this.resultParts(answer));
      this.check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.point(error);
      show(this.result);
      this.verdicts.clear("A formula with a mistake has no properties.");
    } finally {
      clearTimeout(slow);
    }
  }

  resultParts({ formula: written, where, value: now, exact, reason, worked, python, classes }) {
    const misfit = classes !== null && classes !== this.matrix.labels.length;
    return [
      element(
        "div",
        { class: "formula", tabindex: "0", role: "group", "aria-label": "Your formula" },
        formula(written.mathml),
      ),
      where?.length ? whereList(where) : null,
      element(
        "div",
        { class: "exhibits" },
        this.matrix.labels.length <= 6
          ? smallMatrix(this.matrix.counts, { caption: "On your matrix", labels: this.matrix.labels })
          : null,
        element(
          "p",
          { class: "score best-name", id: "own-value" },
          misfit ? "needs two classes" : decimal(now),
          exact && !misfit && exact.length < 30 ? element("small", { class: "soft" }, ` = ${exact}`) : null,
        ),
      ),
      reason ? element("p", {}, reason) : null,
      worked ? element("p", { class: "hint" }, worked) : null,
      element("details", {}, element("summary", {}, "Use it in Python"), ...copyables([["Python", python]])),
    ].filter(Boolean);
  }

  /** Say beside the formula what is wrong with it, and point at the place. */
  point(error) {
    complain(this.text, error ? error.text : "");
    const known = error !== null && error.position !== null;
    this.pointer.hidden = !known;
    if (!known) return;
    const before = this.text.value.slice(0, error.position);
    const start = before.lastIndexOf("\n") + 1;
    const line = this.text.value.slice(start).split("\n")[0];
    this.pointer.textContent = `${line}\n${" ".repeat(error.position - start)}▲`;
  }

  async checkNow(signal) {
    this.verdicts.clear("Deciding the properties…");
    const question = { text: this.text.value, classes: Number(value("classes", "2")), domain: value("domain", "all") };
    try {
      await stream("check", question, (line) => this.decided(line), signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.verdicts.clear(error.text);
    }
  }

  decided(line) {
    if (line.error) return this.verdicts.clear(line.error.message);
    if (line.done) return this.verdicts.sum(line.stopped ?? "");
    this.verdicts.add(line);
    return this.verdicts.sum("More are being decided…");
  }
}
