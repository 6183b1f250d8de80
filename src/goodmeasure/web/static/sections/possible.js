// Which properties a measure can have together: a map to choose from, with the proof where they exclude each other.

import { ask, config, data, Refusal, whileShown } from "../api.js";
import { catalogue, measureLink } from "../catalogue.js";
import { button, choice, element, field, problem, scrolling, show, waiting } from "../dom.js";
import { state, update, value } from "../state.js";
import { listed, proofParts } from "../proofs.js";

/** Show the map. */
export async function openPossible(place) {
  const [map, known, settings] = await Promise.all([data("map.json"), catalogue(), config()]);
  new PossibleMap(place, { map, known, settings }).begin();
}

class PossibleMap {
  constructor(place, parts) {
    Object.assign(this, parts, { place });
    this.chips = element("ul", { class: "chips", "aria-label": "Properties to ask for" });
    this.answer = element("div", { "aria-live": "polite", id: "possible-answer" });
    this.grid = scrolling("Map of property sets");
  }

  get region() {
    return this.map.regions.find((region) => String(region.id) === value("region", "0")) ?? this.map.regions[0];
  }

  begin() {
    this.chosen = new Set(state().values.get("want") ?? ["distance", "monotone", "constant_baseline"]);
    const regions = this.map.regions.map((region) => [region.id, region.title]);
    show(
      this.place,
      element(
        "section",
        { class: "card" },
        element("h2", {}, "What is possible?"),
        element(
          "p",
          {},
          "Choose the properties that a measure should have. Either some measure has them all, or there is a proof that none can.",
        ),
        element(
          "div",
          { class: "bar" },
          field(
            "Which matrices",
            choice(
              regions,
              this.region.id,
              (region) => {
                update({ region });
                this.draw();
              },
              { id: "region" },
            ),
          ),
        ),
        this.chips,
        this.answer,
      ),
      element(
        "section",
        { class: "card" },
        element("h2", {}, "The map"),
        element(
          "p",
          { class: "hint" },
          "Each row is a set of properties: ■ the smallest sets that exclude each other, ● the largest sets that some measure has. Press a row's button to ask for its set.",
        ),
        this.grid,
      ),
      element(
        "section",
        { class: "card" },
        element("h2", {}, "Theorems"),
        element(
          "p",
          { class: "hint" },
          "What no measure has together, with the reason in words and the rows of the smallest proof. docs/theorems.md has the proofs for every n.",
        ),
        ...this.map.theorems.map((theorem) =>
          element(
            "details",
            {},
            element("summary", {}, theorem.says),
            element("p", {}, `Proof. ${theorem.proof}`),
            element("pre", { class: "wrapped", tabindex: "0" }, theorem.rows),
          ),
        ),
      ),
    );
    this.draw();
  }

  choose(names) {
    this.chosen = new Set(names);
    update({ want: [...this.chosen] });
    this.draw();
  }

  toggle(name) {
    const next = new Set(this.chosen);
    if (!next.delete(name)) next.add(name);
    this.chosen = next;
    update({ want: next.size ? [...next] : [""] });
    this.draw();
    document.getElementById(`want-${name}`)?.focus();
  }

  titleOf(name) {
    return this.known.property.get(name)?.title ?? name;
  }

  measureTitle(name) {
    return this.known.measure.get(name)?.title ?? `${name.replaceAll("_", " ")} (made for this proof)`;
  }

  shortOf(name) {
    return this.known.property.get(name)?.short ?? name;
  }

  draw() {
    const { properties } = this.region;
    show(
      this.chips,
      ...properties.map((name) =>
        element(
          "li",
          {},
          button(this.titleOf(name), () => this.toggle(name), {
            id: `want-${name}`,
            "aria-pressed": String(this.chosen.has(name)),
            title: this.known.property.get(name)?.sentence ?? "",
          }),
        ),
      ),
    );
    show(this.answer, this.answerOf([...this.chosen].filter((name) => properties.includes(name))));
    show(this.grid, this.gridTable());
  }

  answerOf(wanted) {
    if (!wanted.length) return element("p", { class: "hint" }, "Choose at least one property.");
    const impossible = this.region.impossible.find((set) => set.properties.every((name) => wanted.includes(name)));
    if (impossible) return this.impossibleAnswer(impossible);
    const possible = this.region.possible.find((set) => wanted.every((name) => set.properties.includes(name)));
    return possible ? this.possibleAnswer(possible) : this.openAnswer(wanted);
  }

  impossibleAnswer(set) {
    const names = listed(set.properties.map((name) => this.titleOf(name)));
    const without = (name) => button(`without ${this.titleOf(name)}`, () => this.toggle(name), { class: "small" });
    return element(
      "div",
      { class: "answer impossible" },
      element("p", { class: "verdict-line" }, "Impossible: no measure has them together."),
      element("p", {}, `No measure has ${names} on all matrices of up to ${set.n} items. ${beyond(set.every_n)}`),
      element("div", { class: "bar" }, element("span", {}, "Give one of them up:"), ...set.properties.map(without)),
      element(
        "details",
        { open: true },
        element("summary", {}, "The proof"),
        ...proofParts(set),
      ),
    );
  }

  possibleAnswer(set) {
    const measure = set.measure ? this.known.measure.get(set.measure) : null;
    return element(
      "div",
      { class: "answer possible" },
      element("p", { class: "verdict-line" }, "Possible."),
      element(
        "p",
        {},
        measure
          ? [measureLink({ ...measure, short: measure.title }), " has all of them"]
          : set.measure
            ? `A measure that was made for this proof (${set.measure.replaceAll("_", " ")}) has all of them`
            : "There is a table of values that has all of them",
        set.properties.length > this.chosen.size
          ? `, and also ${listed(set.properties.filter((name) => !this.chosen.has(name)).map((name) => this.titleOf(name)))}.`
          : ".",
      ),
    );
  }

  openAnswer(wanted) {
    const place = element("div");
    const decide = async () => {
      show(place, waiting("Searching…"));
      try {
        const { classes, domain } = this.region;
        const answer = await ask("possible", { properties: wanted, classes, domain }, whileShown());
        show(place, element("pre", { class: "wrapped", tabindex: "0" }, answer.text));
      } catch (error) {
        if (error.name === "AbortError") return;
        if (!(error instanceof Refusal)) throw error;
        show(place, problem(error.text));
      }
    };
    return element(
      "div",
      { class: "answer" },
      element("p", { class: "verdict-line" }, "The map does not decide this set."),
      this.settings.static ? null : button("Search for an answer", decide),
      place,
    );
  }

  gridTable() {
    const { properties, impossible, possible } = this.region;
    const row = (set, kind, text) => {
      const same = set.properties.length === this.chosen.size && set.properties.every((name) => this.chosen.has(name));
      return element(
        "tr",
        { class: same ? "chosen" : null },
        element(
          "th",
          { scope: "row" },
          button(text, () => this.choose(set.properties), {
            class: "small",
            "aria-label": `${text}: ${listed(set.properties.map((name) => this.titleOf(name)))}`,
          }),
        ),
        ...properties.map((name) =>
          element(
            "td",
            {},
            set.properties.includes(name)
              ? element("span", { class: `dot ${kind}` }, element("span", { class: "aside" }, "yes"))
              : null,
          ),
        ),
      );
    };
    return element(
      "table",
      { class: "map" },
      element("caption", { class: "aside" }, "Sets of properties that are impossible or possible together"),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "col" }, "Set"),
          ...properties.map((name) =>
            element("th", { scope: "col" }, element("abbr", { title: this.titleOf(name) }, this.shortOf(name))),
          ),
        ),
      ),
      element(
        "tbody",
        {},
        ...impossible.map((set) => row(set, "impossible", `Impossible from n = ${set.n}`)),
        ...possible.map((set) =>
          row(set, "possible", set.measure ? `Possible: ${this.measureTitle(set.measure)}` : "Possible"),
        ),
      ),
    );
  }
}

/** What the map knows about larger numbers of items. */
function beyond(everyN) {
  return everyN.startsWith("n ")
    ? `The same holds for every ${everyN}.`
    : `On matrices of one larger size alone: ${everyN}.`;
}
