// Reads files of people for all sections: one at a time, since the newest choice is the one that counts.

import { config, send } from "./api.js";
import { readLocal } from "./local_file.js";

/**
 * The file that is open: its systems and scores, and whether its counts are those of the address. Only this visit knows
 * it, as the server keeps no file.
 */
export const opened = { file: null, answer: null, isTaken: false };

let running = null;

/** Return what a file holds; null where another file was chosen, or something else, before the answer came. */
export async function readFile(file, columns = {}) {
  stopReading();
  const mine = (running = new AbortController());
  try {
    const table = file === opened.file ? opened.answer?.table : null; // the sheet of it that was read before
    const asked = { name: file.name, ...(table ? { table } : {}), ...columns };
    const isStatic = (await config()).static;
    const answer = await (isStatic ? readLocal(file, asked) : send("upload", file, asked, { signal: mine.signal }));
    if (running !== mine) return null;
    Object.assign(opened, { file, answer, isTaken: false });
    return answer;
  } catch (error) {
    if (running !== mine) return null;
    throw error;
  } finally {
    if (running === mine) running = null;
  }
}

/** Give up a file that is being read; return whether there was one. */
export function stopReading() {
  const was = running;
  running = null;
  was?.abort();
  return was !== null;
}
