/** Owns what is said of a line that a recording does not hold: loudly, with the nearest that it does. */
import { isObject } from '../protocol/jsonrpc';
import type { HeardLine, Recording } from '../session';
import { diffJson, labelOf, type TapeMessage, toDifferenceText, toMatched } from '../session';

/** The code of a request that was not recorded, or not answered as it was. */
export const NOT_RECORDED = -32050;

/** What is wrong, in words and as data. */
export type Miss = { message: string; data?: unknown };

/** A recorded line of the same method, and where its params differ. */
export type Near = { heard: HeardLine; params: unknown; differences: ReturnType<typeof diffJson> };

/** Comparing costs time; a tape may hold very many requests of one method. */
const MAX_COMPARED = 200;
const MAX_SHOWN = 3;

/** Says what came, and which recorded line of the same method differs least. */
export const toUnrecorded = (recording: Recording, word: TapeMessage): Miss => {
  const asked = labelOf(word);
  const near = nearestLine(recording.heard, word);
  if (near === undefined) return { message: `Not recorded: ${asked}; the tape has nothing of that method` };
  const { heard, differences, params } = near;
  const label = labelOf(heard.messages[0]);
  const where = `line ${heard.lineNumber}: ${label}`;
  const how = differences.length === 0 ? 'it is the same, but was said less often' : toHow(differences);
  return {
    message: `Not recorded: ${asked}. Nearest is ${where}; ${how}`,
    data: {
      nearest: { line: heard.lineNumber, method: label, params },
      differences: differences.slice(0, MAX_COMPARED),
    },
  };
};

const toHow = (differences: Near['differences']): string =>
  differences.slice(0, MAX_SHOWN).map(toDifferenceText).join('; ');

/** Says that a line stands for another one. */
export const toGuess = (word: TapeMessage, { heard, differences }: Near): string =>
  `${labelOf(word)} is taken for line ${heard.lineNumber}: ${labelOf(heard.messages[0])}; ${toHow(differences)}`;

/** The line of the same method that differs least; the first of several. */
export const nearestLine = (heard: readonly HeardLine[], word: TapeMessage): Near | undefined => {
  if (!('method' in word)) return undefined;
  const candidates = heard.flatMap((one) => {
    const [first] = one.messages;
    return first && 'method' in first && first.method === word.method ? [{ heard: one, params: first.params }] : [];
  });
  const compared = candidates.slice(0, MAX_COMPARED).map((one) => ({
    ...one,
    differences: diffJson(toMatched(one.params), toMatched(isObject(word.params) ? word.params : {}), 'params'),
  }));
  return compared.reduce<Near | undefined>(
    (best, one) => (best && best.differences.length <= one.differences.length ? best : one),
    undefined,
  );
};
