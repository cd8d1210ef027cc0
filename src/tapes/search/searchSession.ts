/** Finds texts in a recorded session: in methods, names, arguments, results, errors and lines of stderr. */
import { isObject, parseJson, wordOf } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { clip } from '../../streams/text/trim';
import { isFailure } from '../session/pairCalls';
import type { Part, SessionFold } from '../session/readParts';
import type { IndexedEntry, IndexedMessage, SessionIndex } from '../session/sessionIndex';

/** What is searched. */
export type Wanted = {
  /** In any case; an empty text is in every line. */
  text: string;
  /** Match names of tools; a line that belongs to no call of a tool is not found then. */
  tool?: RegExp;
  /** Only errors, and results that are errors. */
  outcome?: 'failed';
  /** In ms since 1970. Lines of a session without a date are not found then. */
  sinceMs?: number;
  /** Is in the name of the client, in any case. */
  client?: string;
  /** How many lines are found at most. */
  most: number;
};

/** A line that was found. */
export type FoundLine = {
  lineNumber: number;
  /** ISO 8601; undefined if the tape has no date. */
  at?: string;
  who: 'client' | 'server' | 'stderr' | 'recorder' | 'inside';
  /** The method and the tool; of a response, those of its request. */
  what: string;
  /** The place of the text in the message, if it is one. */
  place: string;
  /** What stands around the text. */
  text: string;
};

/** Searches a session part by part. */
export const sessionSearcher = (wanted: Wanted): SessionFold<readonly FoundLine[]> => {
  const found: FoundLine[] = [];
  const search = { ...wanted, text: wanted.text.toLowerCase() };
  const add = ({ index, carried }: Part): void => {
    if (!isOfClient(index, search.client)) return;
    for (const entry of index.entries.slice(carried)) {
      if (found.length >= search.most) return;
      if (isLater(index, entry, search.sinceMs)) found.push(...findIn(index, entry, search));
    }
  };
  return { add, end: () => found.slice(0, search.most) };
};

const isOfClient = ({ parties: { client } }: SessionIndex, name: string | undefined): boolean =>
  name === undefined || (typeof client?.name === 'string' && client.name.toLowerCase().includes(name.toLowerCase()));

const startOf = ({ meta }: SessionIndex): number =>
  typeof meta.started === 'string' ? Date.parse(meta.started) : Number.NaN;

const isLater = (index: SessionIndex, { entry }: IndexedEntry, sinceMs: number | undefined): boolean =>
  sinceMs === undefined || startOf(index) + entry.t >= sinceMs;

const findIn = (index: SessionIndex, entry: IndexedEntry, wanted: Wanted): FoundLine[] =>
  entry.messages.length === 0
    ? findInLog(index, entry, wanted)
    : entry.messages.flatMap((message) => findInMessage(index, message, wanted));

const findInLog = (index: SessionIndex, { entry, lineNumber }: IndexedEntry, wanted: Wanted): FoundLine[] => {
  if (wanted.tool !== undefined || wanted.outcome !== undefined) return [];
  const { seam = 'mcp', dir, line, t } = entry;
  const inside = seam === 'mcp' ? undefined : parseJson(line);
  const place = placeIn(inside ?? line, wanted.text, '');
  if (place === undefined) return [];
  const who = seam !== 'mcp' ? 'inside' : dir === 'err' ? 'stderr' : 'recorder';
  return [{ lineNumber, ...timeOf(index, t), who, what: seam === 'mcp' ? dir : seam, ...place }];
};

const findInMessage = (index: SessionIndex, one: IndexedMessage, wanted: Wanted): FoundLine[] => {
  const { message, lineNumber, from, t, owner } = one;
  const request = index.messages[index.calls[one.call ?? owner ?? -1]?.request ?? -1]?.message;
  if (wanted.outcome !== undefined && (message.kind !== 'response' || !isFailure(message))) return [];
  if (wanted.tool !== undefined && !wanted.tool.test(toolOf(request))) return [];
  const own = message.kind === 'response' ? labelOf(request) : labelOf(message);
  const whole =
    message.kind === 'other' ? (index.entries[one.entry]?.entry.line ?? '') : contentOf(one.value, one.part);
  const place = (wanted.text === '' ? textIn(whole, '') : undefined) ?? placeIn(whole, wanted.text, '');
  const isNamed = message.kind === 'response' && own.toLowerCase().includes(wanted.text);
  if (place === undefined && !isNamed) return [];
  return [{ lineNumber, ...timeOf(index, t), who: from, what: own, ...(place ?? { place: '', text: '' }) }];
};

const toolOf = (request: IndexedMessage['message'] | undefined): string => {
  const { name } = request?.kind === 'request' && isObject(request.params) ? request.params : { name: undefined };
  return request?.kind === 'request' && request.method === 'tools/call' && typeof name === 'string' ? name : '';
};

const timeOf = (index: SessionIndex, t: number): { at?: string } => {
  const ms = startOf(index) + t;
  return Number.isNaN(ms) || Math.abs(ms) > MAX_DATE ? {} : { at: new Date(ms).toISOString() };
};

/** A later time is no date of JavaScript. */
const MAX_DATE = 8.64e15;

/** What a message says, without what frames it. */
const contentOf = (value: unknown, part: number | undefined): unknown => {
  const own = Array.isArray(value) && part !== undefined ? value[part] : value;
  if (!isObject(own)) return own;
  const { jsonrpc: _jsonrpc, id: _id, ...content } = own;
  return content;
};

type Place = { place: string; text: string };

/** What says nothing by itself, or what the line of the result names already. */
const NO_TEXT = new Set(['method', 'name', 'type', '_meta', 'progressToken', 'requestId']);

/** The first text of a message that says something, for a search of any text. */
const textIn = (value: unknown, path: string): Place | undefined => {
  if (typeof value === 'string') return { place: path, text: around(value, 0, 0) };
  if (Array.isArray(value)) return firstOf(value.entries(), (at, one) => textIn(one, `${path}[${at}]`));
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).filter(([name]) => !NO_TEXT.has(name));
  return firstOf(members, (name, one) => textIn(one, path === '' ? name : `${path}.${name}`));
};

/** The first place of a text in a value, members in their order. */
const placeIn = (value: unknown, text: string, path: string): Place | undefined => {
  if (Array.isArray(value)) return firstOf(value.entries(), (at, one) => placeIn(one, text, `${path}[${at}]`));
  if (isObject(value))
    return firstOf(Object.entries(value), (name, one) => {
      const inner = path === '' ? name : `${path}.${name}`;
      return name.toLowerCase().includes(text) && text !== ''
        ? { place: inner, text: clip(JSON.stringify(one) ?? '', AROUND) }
        : placeIn(one, text, inner);
    });
  const leaf = typeof value === 'string' ? value : wordOf(value);
  const at = leaf.toLowerCase().indexOf(text);
  return at < 0 ? undefined : { place: path, text: around(leaf, at, text.length) };
};

const firstOf = <K>(pairs: Iterable<[K, unknown]>, find: (key: K, one: unknown) => Place | undefined) => {
  for (const [key, one] of pairs) {
    const found = find(key, one);
    if (found !== undefined) return found;
  }
  return undefined;
};

const AROUND = 120;
const BEFORE = 40;

const around = (leaf: string, at: number, length: number): string => {
  const from = Math.max(0, at - BEFORE);
  const text = clip(leaf.slice(from), Math.max(AROUND, BEFORE + length));
  return `${from === 0 ? '' : '…'}${text}`.replaceAll(/\s+/g, ' ');
};
