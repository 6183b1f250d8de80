// The atlas: which measure has which property, as a table that can be filtered.

import { data } from "../api.js";
import { catalogue, fullTitle, paperName } from "../catalogue.js";
import { button, choice, element, field, show } from "../dom.js";
import { link, navigate, state, update, value } from "../state.js";
import { counted } from "../writing.js";

const STATUS = { "✓": "proved", "✗": "refuted", "?": "held", "∅": "vacuous" };
const MEANING = { proved: "proved", refuted: "refuted", held: "no counterexample found", vacuous: "says nothing here" };
const NEXT = { "": "yes", yes: "no", no: "" };
const WANTED = { "": "any", yes: "must have it", no: "must not have it" };

/** Show the atlas. */
export async function openAtlas(place) {
  const [atlas, known] = await Promise.all([data("atlas.json"), catalogue()]);
  new Atlas(place, atlas, known).begin();
}

class Atlas {
  constructor(place, atlas, known) {
    Object.assign(this, { place, atlas, known });
    this.wanted = new Map([
      ...(state().values.get("has") ?? []).map((name) => [name, "yes"]),
      ...(state().values.get("lacks") ?? []).map((name) => [name, "no"]),
    ]);
    this.holder = element("div", {
      class: "scroll atlas-scroll",
      tabindex: "0",
      role: "region",
      "aria-label": "Atlas",
      click: (event) => this.follow(event),
    });
    this.said = element("p", { role: "status", class: "soft" });
  }

  begin() {
    const papers = [...new Set(this.atlas.properties.map((name) => this.paperOf(name)))].filter(Boolean);
    const sizes = [...new Set(this.atlas.rows.map((row) => row.classes))].sort();
    const domains = Object.entries(this.atlas.domains ?? {});
    const search = element("input", {
      type: "search",
      id: "atlas-search",
      value: value("search"),
      placeholder: "name of a measure",
      input: (event) => this.set({ search: event.target.value }),
    });
    show(
      this.place,
      element(
        "section",
        { class: "card" },
        element("h2", {}, "Which measure has which property?"),
        element(
          "div",
          { class: "bar" },
          field("Find a measure", search),
          field(
            "Properties",
            choice(
              [["", "all"], ...papers.map((paper) => [paper, paperName(paper)])],
              value("paper", "goesgens2021"),
              (paper) => this.set({ paper: paper || "all" }),
              { id: "paper" },
            ),
          ),
          field(
            "Classes",
            choice(
              sizes.map((size) => [size, `${size} classes`]),
              value("classes", "2"),
              (classes) => this.set({ classes }),
              { id: "atlas-classes" },
            ),
          ),
          domains.length > 1
            ? field(
                "Domain",
                choice(domains, value("domain", "all"), (domain) => this.set({ domain }), { id: "atlas-domain" }),
              )
            : null,
          button("Clear filters", () => {
            this.wanted.clear();
            search.value = "";
            this.set({ search: null, has: null, lacks: null });
          }),
        ),
        element(
          "p",
          { class: "hint" },
          "Press a property once to keep the measures that have it, twice to keep those that lack it. " +
            "A cell leads to the proof or the counterexample. " +
            Object.entries(this.atlas.legend ?? {})
              .map(([sign, text]) => `${sign} ${text}`)
              .join("; ") +
            ".",
        ),
        this.said,
        this.holder,
      ),
    );
    this.draw();
  }

  paperOf(name) {
    return (
      this.known.property.get(name)?.cite ??
      (name.startsWith("sebastiani") ? "sebastiani2015" : name.startsWith("opitz") ? "opitz2024" : "goesgens2021")
    );
  }

  set(changes) {
    update(changes);
    this.draw();
  }

  press(name) {
    const next = NEXT[this.wanted.get(name) ?? ""];
    if (next) this.wanted.set(name, next);
    else this.wanted.delete(name);
    const of = (kind) => [...this.wanted].filter(([, wanted]) => wanted === kind).map(([property]) => property);
    this.set({ has: of("yes").length ? of("yes") : null, lacks: of("no").length ? of("no") : null });
    document.getElementById(`property-${name}`)?.focus();
  }

  /** Go from a cell to what shows its verdict. By keyboard, the measure's link leads there: thousands of links would be in the way. */
  follow(event) {
    const cell = event.target.closest("td[data-property]");
    if (cell)
      navigate("measures", cell.dataset.measure, {
        classes: value("classes", "2"),
        domain: value("domain", "all"),
        property: cell.dataset.property,
      });
  }

  columns() {
    const paper = value("paper", "goesgens2021");
    return this.atlas.properties
      .map((name, index) => ({ name, index }))
      .filter(({ name }) => paper === "all" || this.paperOf(name) === paper || this.wanted.has(name));
  }

  rows() {
    const text = value("search").trim().toLowerCase();
    const fits = (row) =>
      [...this.wanted].every(([name, wanted]) => {
        const sign = row.signs[this.atlas.properties.indexOf(name)] ?? "";
        return sign.startsWith(wanted === "yes" ? "✓" : "✗");
      });
    return this.atlas.rows.filter(
      (row) =>
        String(row.classes) === value("classes", "2") &&
        row.domain === value("domain", "all") &&
        [row.measure, this.known.measure.get(row.measure)?.title ?? ""].some((name) =>
          name.toLowerCase().includes(text),
        ) &&
        fits(row),
    );
  }

  draw() {
    const columns = this.columns();
    const rows = this.rows();
    this.said.textContent = `${counted(rows.length, "measure")}${this.wanted.size ? ` with ${this.filterText()}` : ""}.`;
    show(
      this.holder,
      element(
        "table",
        { class: "atlas" },
        element("caption", { class: "aside" }, "Measures and their properties"),
        element(
          "thead",
          {},
          element("tr", {}, element("th", { scope: "col" }, "Measure"), ...columns.map(({ name }) => this.head(name))),
        ),
        element("tbody", {}, ...rows.map((row) => this.row(row, columns))),
      ),
    );
  }

  filterText() {
    const short = (name) => this.known.property.get(name)?.short ?? name;
    return [...this.wanted].map(([name, wanted]) => (wanted === "yes" ? short(name) : `not ${short(name)}`)).join(", ");
  }

  head(name) {
    const property = this.known.property.get(name) ?? { short: name, title: name, sentence: "" };
    const wanted = this.wanted.get(name) ?? "";
    const mark = { "": "", yes: "✓ ", no: "✗ " }[wanted];
    return element(
      "th",
      { scope: "col" },
      button(`${mark}${property.short}`, () => this.press(name), {
        id: `property-${name}`,
        "data-wanted": wanted,
        title: `${property.title}: ${property.sentence}`,
        "aria-label": `${property.title}: ${WANTED[wanted]}`,
      }),
    );
  }

  row(row, columns) {
    const measure = this.known.measure.get(row.measure);
    const address = link("measures", row.measure, { classes: row.classes, domain: row.domain, property: null });
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("a", { href: address, title: row.measure }, measure ? fullTitle(measure) : row.measure),
      ),
      ...columns.map(({ name, index }) => {
        const sign = row.signs[index] ?? "";
        const status = STATUS[sign[0]];
        return element(
          "td",
          {
            class: status ?? null,
            title: status ? MEANING[status] : "not decided",
            "data-measure": row.measure,
            "data-property": status ? name : null,
          },
          sign || "–",
        );
      }),
    );
  }
}
