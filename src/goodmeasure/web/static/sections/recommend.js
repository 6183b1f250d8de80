// Recommend: questions about a task as a form, and the measures that suit it, with reasons.

import { ask, config, data, newest, Refusal } from "../api.js";
import { catalogue } from "../catalogue.js";
import { button, choice, complain, element, field, freshId, problem, show, waiting } from "../dom.js";
import { state, update, value } from "../state.js";
import { recommendationCards } from "./recommendation.js";

const MOST_CLASSES_WITH_COSTS = 6;

/** Show the section. */
export async function open(root) {
  const [questions, known, settings] = await Promise.all([data("questions.json"), catalogue(), config()]);
  new Recommend(root, { questions, known, settings }).begin();
}

class Recommend {
  constructor(root, parts) {
    Object.assign(this, parts, { root });
    this.place = element("div", { class: "stack", id: "recommendation" });
    this.said = element("p", { class: "aside", role: "status" });
    this.look = newest((signal) => this.recommend(signal), 120);
    this.controls = new Map();
    this.mistyped = new Set(); // the names of numbers that make no sense; an answer to what was asked before stays silent
  }

  begin() {
    this.form = element("form", {
      class: "card",
      submit: (event) => event.preventDefault(),
      "aria-label": "Your task",
    });
    this.drawForm();
    show(
      this.root,
      element("h1", {}, "Recommend a measure"),
      element(
        "p",
        { class: "lead" },
        "Describe your task. The answer follows from the proved properties of the measures, and says what you give up.",
      ),
      element(
        "div",
        { class: "columns form-left" },
        this.form,
        element("div", { class: "stack" }, this.said, this.place),
      ),
    );
    this.look();
  }

  drawForm() {
    this.controls.clear();
    show(
      this.form,
      element("h2", {}, "Your task"),
      ...this.questions.map((question) => this.question(question)),
      this.moreNeeds(),
      button("Start again", () => this.clear()),
    );
  }

  clear() {
    const names = [...this.questions.map((question) => question.name), "need", "avoid"];
    update(Object.fromEntries(names.map((name) => [name, null])));
    this.drawForm();
    this.look();
  }

  answered(name, text) {
    update({ [name]: text });
    if (name === "classes") this.drawCosts();
    this.look();
  }

  question(question) {
    const draw = {
      yes_no: () => this.yesNo(question),
      choice: () => this.oneOf(question),
      number: () => this.number(question),
      costs: () => this.costs(question),
    }[question.kind];
    return draw ? draw() : null;
  }

  yesNo({ name, question, example }) {
    const box = element("input", {
      type: "checkbox",
      id: `q-${name}`,
      checked: value(name) === "yes",
      change: (event) => this.answered(name, event.target.checked ? "yes" : null),
    });
    const hint = example ? element("span", { class: "hint", id: `q-${name}-hint` }, example) : null;
    if (hint) box.setAttribute("aria-describedby", hint.id);
    return element(
      "div",
      { class: "option" },
      box,
      element("div", {}, element("label", { for: box.id }, question), hint),
    );
  }

  oneOf({ name, question, choices, example }) {
    const all = ["", ...choices];
    return element(
      "fieldset",
      { class: "radios" },
      element("legend", {}, question),
      example ? element("p", { class: "hint" }, example) : null,
      ...all.map((text) => {
        const radio = element("input", {
          type: "radio",
          name,
          id: `q-${name}-${text || "none"}`,
          value: text,
          checked: value(name) === text,
          change: () => this.answered(name, text),
        });
        return element("div", { class: "option" }, radio, element("label", { for: radio.id }, text || "no answer"));
      }),
    );
  }

  number({ name, question, example, usual, whole }) {
    const least = name === "classes" || name === "raters" ? 2 : 0;
    const input = element("input", {
      id: `q-${name}`,
      inputmode: whole ? "numeric" : "decimal",
      size: 5,
      value: value(name, usual === null ? "" : String(usual)),
      input: (event) => {
        const text = event.target.value.trim();
        const number = Number(text);
        const fits = whole ? Number.isInteger(number) && number >= least && number <= 1e6 : Number.isFinite(number);
        const fine = text === "" ? usual === null : fits; // what may be left open may be emptied
        complain(input, fine ? "" : whole ? `A whole number of at least ${least}.` : "A number.");
        if (fine) this.mistyped.delete(name);
        else this.mistyped.add(name);
        if (fine) this.answered(name, text === "" ? null : text);
      },
    });
    this.controls.set(name, input);
    return element("fieldset", {}, field(question, input, { hint: example }));
  }

  costs(question) {
    this.costQuestion = question;
    this.costPlace = element("fieldset");
    this.drawCosts();
    return this.costPlace;
  }

  drawCosts() {
    if (!this.costPlace) return;
    const { question, example } = this.costQuestion;
    const classes = Number(value("classes", "2"));
    const table = value("costs")
      .split(";")
      .map((row) => row.split(","));
    const asked = value("costs") !== "";
    const toggle = element("input", {
      type: "checkbox",
      id: "q-costs",
      checked: asked,
      disabled: classes > MOST_CLASSES_WITH_COSTS,
      change: (event) => {
        this.answered("costs", event.target.checked ? zeroOne(classes) : null);
        this.drawCosts();
        document.getElementById("q-costs").focus();
      },
    });
    const parts = [
      element(
        "div",
        { class: "option" },
        toggle,
        element(
          "div",
          {},
          element("label", { for: toggle.id }, question),
          example ? element("span", { class: "hint" }, example) : null,
        ),
      ),
    ];
    if (asked && table.length !== classes) update({ costs: zeroOne(classes) });
    if (asked && classes <= MOST_CLASSES_WITH_COSTS) parts.push(this.costTable(classes));
    show(this.costPlace, ...parts);
  }

  costTable(classes) {
    const rows = value("costs")
      .split(";")
      .map((row) => row.split(","));
    const problem = element("p", { class: "problem", role: "alert", hidden: true });
    const typed = (input, i, j) => {
      const fine = input.value.trim() !== "" && Number.isFinite(Number(input.value)) && Number(input.value) >= 0;
      input.toggleAttribute("aria-invalid", !fine);
      if (!fine) input.setAttribute("aria-invalid", "true");
      problem.hidden = fine;
      problem.textContent = fine ? "" : "A cost is a number of 0 or more.";
      if (!fine) return;
      rows[i][j] = input.value.trim();
      this.answered("costs", rows.map((row) => row.join(",")).join(";"));
    };
    const cell = (i, j) =>
      element("input", {
        value: rows[i]?.[j] ?? "0",
        inputmode: "decimal",
        id: freshId("cost"),
        "aria-label": `Cost of predicting class ${j + 1} where class ${i + 1} is true`,
        input: (event) => typed(event.target, i, j),
      });
    const range = Array.from({ length: classes }, (_, k) => k);
    return element(
      "div",
      {},
      element(
        "table",
        { class: "costs" },
        element("caption", {}, "Costs; rows are true classes, columns are predicted classes"),
        element(
          "tbody",
          {},
          ...range.map((i) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, `class ${i + 1}`),
              ...range.map((j) => element("td", {}, cell(i, j))),
            ),
          ),
        ),
      ),
      problem,
    );
  }

  moreNeeds() {
    const names = this.known.properties.map((property) => [property.name, property.title]);
    const list = (name) => state().values.get(name) ?? [];
    const chips = (name) =>
      element(
        "ul",
        { class: "chips" },
        ...list(name).map((property) =>
          element(
            "li",
            {},
            button(
              `${this.known.property.get(property)?.title ?? property} ×`,
              () =>
                this.setList(
                  name,
                  list(name).filter((one) => one !== property),
                ),
              {
                class: "small",
                "aria-label": `Remove ${this.known.property.get(property)?.title ?? property}`,
              },
            ),
          ),
        ),
      );
    const add = (name, label) =>
      element(
        "div",
        {},
        field(
          label,
          choice(
            [["", "add a property…"], ...names.filter(([property]) => !list(name).includes(property))],
            "",
            (property) => property && this.setList(name, [...list(name), property]),
            { id: `add-${name}` },
          ),
        ),
        chips(name),
      );
    return element(
      "details",
      { class: "fold", open: list("need").length + list("avoid").length > 0 },
      element("summary", {}, "Ask for certain properties"),
      add("need", "The measure must have"),
      add("avoid", "The measure must not have"),
    );
  }

  setList(name, properties) {
    update({ [name]: properties.length ? properties : null });
    this.drawForm();
    document.getElementById(`add-${name}`)?.focus();
    this.look();
  }

  // ── the answer ─────────────────────────────────────────────────────────────────────────────────────────────────

  task() {
    const task = { needs: state().values.get("need") ?? [], avoids: state().values.get("avoid") ?? [] };
    for (const { name, kind, usual } of this.questions) {
      const text = value(name);
      if (kind === "yes_no") task[name] = text === "yes";
      else if (kind === "number") task[name] = text === "" ? usual : Number(text);
      else if (kind === "costs") task[name] = text ? text.split(";").map((row) => row.split(",").map(Number)) : null;
      else task[name] = text || null;
    }
    return task;
  }

  async recommend(signal) {
    const slow = setTimeout(() => this.say("Looking for measures…"), 600);
    try {
      const answer = this.settings.static ? await stored(this.task()) : await ask("recommend", this.task(), signal);
      complainAll(new Map([...this.controls].filter(([name]) => !this.mistyped.has(name))), null);
      await this.show(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!complainAll(this.controls, error)) show(this.place, problem(error.text));
    } finally {
      clearTimeout(slow);
    }
  }

  say(sentence) {
    show(this.place, element("div", { class: "card" }, waiting(sentence)));
  }

  async show(answer) {
    const cards = await recommendationCards(answer, this.task().classes, this.known);
    this.said.textContent = answer.best ? `Recommended: ${answer.ranked[0].title}.` : "No measure suits this task.";
    show(this.place, ...cards);
  }
}

function zeroOne(classes) {
  return Array.from({ length: classes }, (_, i) =>
    Array.from({ length: classes }, (_, j) => (i === j ? 0 : 1)).join(","),
  ).join(";");
}

/** Say an error beside the control that caused it; return whether there is one. */
function complainAll(controls, error) {
  let found = false;
  for (const [name, control] of controls) {
    const mine = error !== null && error.argument === name;
    complain(control, mine ? error.text : "");
    found ||= mine;
  }
  return found;
}

/** What a static copy knows: the answers to common tasks, by a key that says how a task differs from the default. */
async function stored(task) {
  const { keys, answers } = await data("recommendations.json");
  const asked = { ...task, classes: Math.min(task.classes, 3) }; // what holds for three classes holds for more
  const key = Object.entries(asked)
    .filter(([name, answer]) => answer && answer.length !== 0 && !(name === "classes" && answer === 2))
    .map(([name, answer]) => `${name}=${answer === true ? "yes" : answer}`)
    .sort()
    .join("&");
  if (keys[key] === undefined) {
    throw new Refusal({
      message: "A static copy has no answer to this combination. Install goodmeasure and type “goodmeasure explore”.",
    });
  }
  return answers[keys[key]];
}
