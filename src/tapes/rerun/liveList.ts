/** What a tape does on this machine if something of its daemon is live, for a person who decides whether it may. */
import { isObject, parseJson } from '../../protocol/jsonrpc/json';
import { joinWords } from '../../streams/text/words';
import { isOnWire, type Session } from '../format/tape';

/** What is live. */
export type LiveSeam = 'model' | 'executor';

/**
 * A line for each thing that the tape names, each once: the flags that the daemon starts with, what the client sends, and with a live executor what the
 * recorded model wants to be run, and what the client answers to questions. Nothing is left out but texts behind their first 200 characters.
 */
export const toLiveList = ({ meta, entries }: Session, live: LiveSeam): string[] => {
  const words = Array.isArray(meta.command) ? meta.command.map(String) : [];
  const valuesOf = (is: (entry: Session['entries'][number]['entry']) => boolean) =>
    entries.flatMap(({ entry }) => (is(entry) ? [parseJson(entry.line)].flat() : []));
  const received = valuesOf((entry) => isOnWire(entry) && entry.dir === 'in');
  const answered = valuesOf(({ seam, dir }) => seam === 'model' && dir === 'out');
  return [
    ...new Set([
      ...flagsIn(words).map((flag) => `starts with ${flag}`),
      `starts in ${meta.cwd ?? 'this folder'}`,
      ...received.flatMap(requestLines),
      ...(live === 'executor' ? [...answered.flatMap(runLines), ...received.flatMap(answerLines)] : []),
    ]),
  ];
};

/** Each flag with its values. */
const flagsIn = (words: readonly string[]): string[] => {
  const starts = words.flatMap((word, at) => (word.startsWith('-') ? [at] : []));
  return starts.map((start, i) => joinWords(words.slice(start, starts[i + 1])));
};

/** A line for each argument of a request; what a client says of itself at first does nothing. */
const requestLines = (message: unknown): string[] => {
  if (!isObject(message) || typeof message.method !== 'string' || message.id === undefined) return [];
  const { method, params } = message;
  return method === 'initialize' ? [] : leafLines(params).map((line) => `sends ${method}${line}`);
};

const MAX_CHARS = 200;

/** The path of each value that is no object, and the value; a list of texts, such as a command, is one value. */
const leafLines = (value: unknown, path = ''): string[] => {
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => leafLines(one, `${path} ${name}`));
  if (Array.isArray(value) && value.some(isObject)) return value.flatMap((one) => leafLines(one, path));
  const text = JSON.stringify(value) ?? '';
  const isLong = typeof value === 'string' && text.length > MAX_CHARS;
  return [`${path}: ${isLong ? `${text.slice(0, MAX_CHARS)}… (${value.length} characters)` : text}`];
};

/** What the model wants to be run: all of its items but text. */
const runLines = (event: unknown): string[] => {
  if (!isObject(event) || !isObject(event.item)) return [];
  const { type, name, arguments: args, input } = event.item;
  if (type === 'message' || type === 'reasoning') return [];
  const given = args ?? input;
  return [
    `runs ${typeof name === 'string' && typeof given === 'string' ? `${name} ${given}` : JSON.stringify(event.item)}`,
  ];
};

const answerLines = (message: unknown): string[] =>
  isObject(message) && message.method === undefined && message.result !== undefined
    ? [`answers a question by ${JSON.stringify(message.result)}`]
    : [];
