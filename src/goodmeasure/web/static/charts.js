// Charts as SVG. Each has a sentence for those who do not see it; its numbers stand in a table or text beside it.

import { element, svg } from "./dom.js";
import { decimal } from "./writing.js";

/** Return the ends of a scale: the measure's range where it is finite, else what the values need. */
export function scaleOf(range, values) {
  const known = values.filter((value) => value !== null && Number.isFinite(value));
  const [low, high] = [Math.min(...known, 0), Math.max(...known, known.length ? -Infinity : 1)];
  const from = range?.[0] ?? low;
  const to = range?.[1] ?? Math.max(high, from + 1e-9);
  return [from, to > from ? to : from + 1];
}

/** Return a value with its confidence interval and the score of random guessing, drawn in one line of a table. */
export function intervalPlot({ value, low, high, chance, range }, label) {
  const [from, to] = scaleOf(range, [value, low, high, chance]);
  const width = 130;
  const at = (number) => 5 + ((width - 10) * (Math.min(Math.max(number, from), to) - from)) / (to - from);
  const has = (number) => number !== null && number !== undefined && Number.isFinite(number);
  const marks = [svg("line", { x1: 5, x2: width - 5, y1: 10, y2: 10, class: "track" })];
  if (from < 0 && to > 0) marks.push(svg("line", { x1: at(0), x2: at(0), y1: 6, y2: 14, class: "track" }));
  if (has(low) && has(high)) marks.push(svg("line", { x1: at(low), x2: at(high), y1: 10, y2: 10, class: "interval" }));
  if (has(chance)) marks.push(svg("line", { x1: at(chance), x2: at(chance), y1: 3, y2: 17, class: "chance" }));
  if (has(value)) marks.push(svg("circle", { cx: at(value), cy: 10, r: 4.2, class: "value" }));
  return svg(
    "svg",
    { viewBox: `0 0 ${width} 20`, width, height: 20, class: "interval-plot", role: "img", "aria-label": label },
    ...marks,
  );
}

/** A small line chart of one or more series over the same numbers, with a marker that moves along. */
export class LineChart {
  constructor({ xs, series, range, label, width = smallWidth(), height = 104, xTicks, xTitle, axis = true }) {
    Object.assign(this, { xs, series, width, height });
    this.pad = { left: axis ? 34 : 6, right: 8, top: 8, bottom: xTitle ? 34 : 18 };
    [this.from, this.to] = scaleOf(
      range,
      series.flatMap((one) => one.values),
    );
    this.rule = svg("line", {
      class: "marker-rule",
      y1: this.pad.top,
      y2: height - this.pad.bottom,
      visibility: "hidden",
    });
    this.dots = series.map((_, k) => svg("circle", { r: 4, class: `marker series-${k + 1}`, visibility: "hidden" }));
    this.root = svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: height > 150 ? "line-chart large" : "line-chart",
        role: "img",
        "aria-label": label,
      },
      axis ? this.yAxis() : null,
      this.xAxis(xTicks, xTitle),
      ...series.map((one, k) => svg("path", { d: this.path(one.values), class: `line series-${k + 1}` })),
      this.rule,
      ...this.dots,
    );
  }

  x(number) {
    const [first, last] = [this.xs[0], this.xs.at(-1)];
    const inner = this.width - this.pad.left - this.pad.right;
    return this.pad.left + (last === first ? inner / 2 : (inner * (number - first)) / (last - first));
  }

  y(number) {
    const inner = this.height - this.pad.top - this.pad.bottom;
    return this.pad.top + inner * (1 - (number - this.from) / (this.to - this.from));
  }

  path(values) {
    let open = false; // where a value is undefined, the line is broken
    return values
      .map((value, k) => {
        if (value === null || !Number.isFinite(value)) {
          open = false;
          return "";
        }
        const step = `${open ? "L" : "M"}${this.x(this.xs[k]).toFixed(1)} ${this.y(value).toFixed(1)}`;
        open = true;
        return step;
      })
      .join("");
  }

  yAxis() {
    const ticks = this.from < 0 && this.to > 0 ? [this.from, 0, this.to] : [this.from, this.to];
    return svg(
      "g",
      { class: "axis" },
      ...ticks.map((tick) => [
        svg("line", { x1: this.pad.left, x2: this.width - this.pad.right, y1: this.y(tick), y2: this.y(tick) }),
        svg("text", { x: this.pad.left - 5, y: this.y(tick) + 3.5, "text-anchor": "end" }, shortNumber(tick)),
      ]),
    );
  }

  xAxis(ticks = [this.xs[0], this.xs.at(-1)].map((x) => [x, shortNumber(x)]), title) {
    const base = this.height - this.pad.bottom;
    const end = (k) => (k === 0 ? "start" : k === ticks.length - 1 ? "end" : "middle");
    return svg(
      "g",
      { class: "axis" },
      ...ticks.map(([x, text], k) => svg("text", { x: this.x(x), y: base + 13, "text-anchor": end(k) }, text)),
      title
        ? svg(
            "text",
            { x: (this.pad.left + this.width - this.pad.right) / 2, y: this.height - 4, "text-anchor": "middle" },
            title,
          )
        : null,
    );
  }

  /** Put the marker at one of the numbers. */
  mark(index) {
    const x = this.x(this.xs[index]);
    for (const [name, value] of [
      ["x1", x],
      ["x2", x],
    ])
      this.rule.setAttribute(name, value);
    this.rule.setAttribute("visibility", "visible");
    this.series.forEach((one, k) => {
      const value = one.values[index];
      const known = value !== null && Number.isFinite(value);
      this.dots[k].setAttribute("visibility", known ? "visible" : "hidden");
      if (known) {
        this.dots[k].setAttribute("cx", x);
        this.dots[k].setAttribute("cy", this.y(value));
      }
    });
  }
}

/** Return the width to draw a small chart with: on a narrow screen two of them stand side by side. */
export function smallWidth() {
  return window.innerWidth < 640 ? 150 : 232;
}

/** Return the width to draw a large chart with, so that its letters stay readable on a narrow screen. */
export function largeWidth() {
  return Math.min(640, Math.max(300, window.innerWidth - 60));
}

function shortNumber(value) {
  return Math.abs(value) >= 1000 || Number.isInteger(value) ? String(value).replace("-", "−") : decimal(value, 2);
}

/** Return a legend: which line belongs to which series. */
export function legend(names) {
  return element(
    "ul",
    { class: "legend" },
    ...names.map((name, k) =>
      element(
        "li",
        {},
        svg(
          "svg",
          { viewBox: "0 0 22 8", width: 22, height: 8, "aria-hidden": "true" },
          svg("line", { x1: 0, x2: 22, y1: 4, y2: 4, class: `line series-${k + 1}` }),
        ),
        name,
      ),
    ),
  );
}
