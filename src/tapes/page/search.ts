/** Finds marbles by their names and their lines. */
import { linesOf, type Model, nameOf } from './model';

/** Whether a text contains the needle, which is in lower case. */
const contains = (text: string, needle: string): boolean => text.toLowerCase().includes(needle);

/** The marbles whose name or lines contain the text, ascending; none for an empty text. */
export const search = (model: Model, shown: Int32Array, query: string): number[] => {
  const needle = query.toLowerCase();
  if (needle === '') return [];
  const hits: number[] = [];
  for (const i of shown) {
    const [from, to] = linesOf(model, i);
    let found = contains(nameOf(model, i), needle);
    for (let line = from; !found && line < to; line += 1) found = contains(model.lines.text[line] ?? '', needle);
    if (found) hits.push(i);
  }
  return hits;
};
