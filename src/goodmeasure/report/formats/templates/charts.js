// Draws the charts of the page from the specifications beside them. Without it, the tables say the same.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.querySelector("main").append(tip);

function tooltip(_, event, __, value) {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const lines = Object.entries(value).map(([name, text]) => {
    const line = document.createElement("div");
    line.textContent = `${name}: ${text}`;
    return line;
  });
  tip.replaceChildren(...lines);
  const wide = document.documentElement.clientWidth;
  tip.style.left = `${Math.min(event.pageX + 14, wide - tip.offsetWidth - 8)}px`;
  tip.style.top = `${event.pageY + 14}px`;
}

const config = {
  font: "system-ui, sans-serif",
  range: { category: [1, 2, 3, 4, 5, 6, 7, 8].map((k) => `var(--series-${k})`) },
  axis: { labelFlush: false, labelColor: "currentColor", titleColor: "currentColor", gridColor: "#8884", domainColor: "#8888", tickColor: "#8888", titleFontWeight: "normal", labelFontSize: 12, titleFontSize: 12 },
  legend: { columns: document.documentElement.clientWidth < 560 ? 2 : 5, labelFontSize: 12, labelColor: "currentColor", titleColor: "currentColor" },
  header: { labelFontSize: 13, labelColor: "currentColor", titleColor: "currentColor" },
  title: { color: "currentColor" },
  view: { stroke: "transparent" },
};

const least = 140;

// How much room the names on the left take: that of the longest, or of numbers.
function room(spec) {
  const layers = (spec.spec || spec).layer || [];
  const axis = layers.map((layer) => layer.encoding && layer.encoding.y).find((y) => y && y.field);
  if (thinned(spec)) return 100;
  if (!axis || axis.type === "quantitative") return 55; // of a title and a negative number
  const longest = Math.max(...spec.data.values.flatMap((row) => row[axis.field]).map((name) => String(name).length));
  return Math.min(7 * longest, (axis.axis && axis.axis.labelLimit) || 180) + 15;
}

// How many classes a heat map of a confusion matrix has; undefined for other charts.
function classesOf(spec) {
  return (spec.params || []).filter((x) => x.name === "names").map((x) => x.value[0].length)[0];
}

// Whether it has so many classes that axes name only some of them.
function thinned(spec) {
  return classesOf(spec) && spec.encoding.y.axis.labelOverlap;
}

const unnamed = (channel) => ({ ...channel, axis: { ...channel.axis, labels: false } });

// As wide as there is room for beside the names: panels stand below each other where there is little.
function fitted(spec, wide) {
  const names = room(spec);
  const narrow = (width) => Math.max(least, Math.min(width, wide - names - 20));
  if (spec.facet && spec.columns) {
    const width = narrow(spec.spec.width);
    const columns = Math.max(1, Math.floor((wide - names + 30) / (width + 58))); // with numbers beyond both ends
    return { ...spec, columns, spec: { ...spec.spec, width } };
  }
  if (spec.facet && spec.facet.column && wide < 2 * spec.spec.width + names) {
    const row = { ...spec.facet.column, header: { labelOrient: "top", labelAnchor: "start" } };
    return { ...spec, facet: { row }, spec: { ...spec.spec, width: narrow(spec.spec.width) } };
  }
  if (spec.width && spec.width.step && spec.height && spec.height.step === spec.width.step) { // a matrix stays square
    const classes = classesOf(spec);
    const bare = thinned(spec) && wide < 500; // where there is room for the cells alone
    const room = wide - (bare ? 20 : names) - 90;
    const step = classes ? Math.max(bare ? 2 : 3, Math.min(spec.width.step, Math.floor(room / classes))) : spec.width.step;
    const encoding = bare ? { ...spec.encoding, x: unnamed(spec.encoding.x), y: unnamed(spec.encoding.y) } : spec.encoding;
    return { ...spec, encoding, width: { step }, height: { step } };
  }
  return typeof spec.width === "number" ? { ...spec, width: narrow(spec.width) } : spec;
}

// The width that a figure has, or will have once the fold around it is open.
function widthOf(figure) {
  if (figure.clientWidth) return figure.clientWidth;
  const wide = document.querySelector(".depth").clientWidth - 2;
  return figure.closest(".pair") && wide > 900 ? wide / 2 - 20 : wide;
}

// Specifications name the colours of light pages; the page's own custom properties say what they are here, so that a
// chart that was drawn in the dark has the colours of paper when it is printed.
function toned(x, key) {
  if (typeof x === "string") return x in tones ? `var(${tones[x]})` : x;
  if (typeof x !== "object" || x === null || ["data", "params", "domain", "sort"].includes(key)) return x;
  if (Array.isArray(x)) return x.map((y) => toned(y));
  return Object.fromEntries(Object.entries(x).map(([name, y]) => [name, toned(y, name)]));
}

// A matrix that names only some of its classes can be shown so large that it names all.
const large = 15;
function zoomed(spec) {
  const named = (channel) => ({ ...channel, axis: { ...channel.axis, labelOverlap: false, ticks: true, labelLimit: 140 } });
  const x = named(spec.encoding.x);
  const encoding = { ...spec.encoding, x: { ...x, axis: { ...x.axis, orient: "top" } }, y: named(spec.encoding.y) };
  return { ...spec, encoding, width: { step: large }, height: { step: large } };
}

function zoomable(figure, spec) {
  if (!thinned(spec) || figure.querySelector(".zoom")) return;
  const box = document.createElement("input");
  box.type = "checkbox";
  const label = document.createElement("label");
  label.className = "zoom vega-bind";
  label.append(box, " Large, with the names of all classes");
  figure.querySelector(".canvas").before(label);
  box.addEventListener("change", () => draw(figure, box.checked).then(() => figure.scrollIntoView({ block: "nearest" })));
}

// A chart as a picture for slides and papers, in the colours that it has now: there are no custom properties elsewhere.
function picture(figure) {
  const style = getComputedStyle(figure);
  const svg = figure.querySelector("svg").cloneNode(true);
  for (const part of svg.querySelectorAll("[fill], [stroke]")) {
    for (const name of ["fill", "stroke"]) {
      const colour = part.getAttribute(name) || "";
      if (colour === "currentColor") part.setAttribute(name, style.color);
      if (colour.startsWith("var(")) part.setAttribute(name, style.getPropertyValue(colour.slice(4, -1)).trim());
    }
  }
  svg.style.background = style.getPropertyValue("--paper");
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

function savable(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "save";
  button.textContent = "Save as SVG";
  button.setAttribute("aria-label", `Save as SVG: ${figure.querySelector("figcaption").textContent}`);
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture(figure));
    link.download = `${figure.id}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
  figure.querySelector("figcaption").append(" ", button);
}

function draw(figure, zoom = false) {
  const given = toned(JSON.parse(figure.querySelector("script").textContent));
  const spec = zoom ? zoomed(given) : fitted(given, widthOf(figure));
  zoomable(figure, given);
  figure.querySelector(".canvas").classList.toggle("zoomed", zoom);
  const options = { ast: true, actions: false, defaultStyle: false, renderer: "svg", tooltip, config };
  return vegaEmbed(figure.querySelector(".canvas"), spec, options).then(
    () => {
      figure.classList.add("drawn");
      if (!figure.querySelector(".save")) savable(figure);
    },
    (error) => { figure.classList.add("failed"); console.error(String(error)); },
  );
}

// Charts in sight are drawn at once, those in folds afterwards, one by one, so that the page answers meanwhile.
const figures = [...document.querySelectorAll("figure.chart")];
const later = figures.filter((figure) => !figure.clientWidth);
const first = Promise.all(figures.filter((figure) => figure.clientWidth).map((figure) => draw(figure)));
async function drawLater() {
  for (const figure of later) {
    await new Promise((resolve) => setTimeout(resolve));
    await draw(figure);
  }
}
first.then(drawLater);
