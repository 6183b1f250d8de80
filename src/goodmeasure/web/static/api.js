// Asks the server. In a static copy, only the files that were written with it can be asked for.

const files = new Map();

/** A request that the server refused; the message is a sentence to show. */
export class Refusal extends Error {
  constructor({ message, argument = null, expected = null, hint = null, position = null, suggestions = [] }) {
    super(message);
    Object.assign(this, { argument, expected, hint, position, suggestions });
  }

  /** The message with its hint. */
  get text() {
    return this.hint && !this.message.includes(this.hint) ? `${this.message} ${this.hint}` : this.message;
  }
}

/** Return what to say about an error: the server's words, or others where the page itself is at fault. */
export function wordsFor(error, otherwise) {
  if (error instanceof Refusal) return error.text;
  console.error(error);
  return otherwise;
}

/** Return a file of data, read once. */
export function data(name) {
  if (!files.has(name)) {
    const asked = answer(`api/${name}`, {});
    asked.catch(() => files.delete(name)); // ask again next time
    files.set(name, asked);
  }
  return files.get(name);
}

/** Return the settings of the server; the file of the command line is among them for those who have the token. */
export function config() {
  return data(token() ? `config.json?token=${encodeURIComponent(token())}` : "config.json");
}

/** The token in the printed address, or nothing. */
function token() {
  return new URLSearchParams(location.search).get("token") ?? "";
}

/** Return a file of the server as one that can be sent. */
export async function file(name) {
  const got = await response(`api/${name}`, {});
  return new File([await got.blob()], name);
}

/** Return the server's answer to a question. */
export function ask(route, question, signal) {
  return answer(`api/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
}

/** The file that was named on the command line: the server has it, so that only its name is sent. */
export function givenFile(name) {
  return { name, isGiven: true };
}

/** Send a file; the answer is read as JSON, or given as a response where `raw`. */
export async function send(route, file, query, { signal, raw = false } = {}) {
  const { limits } = await config();
  if (!file.isGiven && file.size > limits.upload_bytes)
    throw new Refusal({ message: tooLarge(file, limits.upload_bytes), argument: "file" });
  const pairs = new URLSearchParams(
    Object.entries(file.isGiven ? { ...query, given: "" } : query).flatMap(([name, texts]) => [texts].flat().map((text) => [name, text])),
  );
  const address = `api/${route}/${encodeURIComponent(token() || "none")}?${pairs}`;
  const body = file.isGiven ? null : file;
  const asked = { method: "POST", body, headers: { "Content-Type": "application/octet-stream" }, signal };
  return raw ? response(address, asked) : answer(address, asked);
}

function tooLarge(file, limit) {
  const mega = (bytes) => Math.round(bytes / 1048576).toLocaleString("en");
  return (
    `“${file.name}” has ${mega(file.size)} MB; at most ${mega(limit)} MB can be opened here. ` +
    "Use “goodmeasure evaluate” on the command line for larger files."
  );
}

/** Call a function with each line of a streamed answer, as it comes. */
export async function stream(route, question, each, signal) {
  const got = await response(`api/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
  const reader = got.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines) if (line.trim()) each(JSON.parse(line));
    if (done) return;
  }
}

async function answer(address, asked) {
  const said = await (await response(address, asked)).json();
  if (said.error) throw new Refusal(said.error); // a mistake while typing is no failed request
  return said;
}

async function response(address, asked) {
  let got;
  try {
    got = await fetch(address, asked);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal({ message: "The server does not answer. Is “goodmeasure explore” still running?" });
  }
  if (got.ok) return got;
  const said = await got.json().catch(() => ({}));
  throw new Refusal(said.error ?? { message: `The server answered with an error (${got.status}).` });
}

const waiting = new Set();

/** Return a function that runs the newest call only, a moment after the last one; older answers are dropped. */
export function newest(work, pause = 60) {
  let timer = 0;
  let running = null;
  const stop = () => {
    clearTimeout(timer);
    running?.abort();
  };
  return (...given) => {
    stop();
    waiting.add(stop);
    timer = setTimeout(async () => {
      const mine = (running = new AbortController());
      try {
        await work(mine.signal, ...given);
      } catch (error) {
        if (!mine.signal.aborted) throw error;
      } finally {
        if (running === mine) waiting.delete(stop);
      }
    }, pause);
  };
}

/** Return a signal that stops a question when the view that asks it is left. */
export function whileShown() {
  const mine = new AbortController();
  waiting.add(() => mine.abort());
  return mine.signal;
}

/** Stop everything that a view has asked for, as when it is left: the server need not go on with it. */
export function stopAsking() {
  for (const stop of waiting) stop();
  waiting.clear();
}
