/** Splits a JSON value into the parts that a tree shows. */
import { parseJson } from '../../protocol/jsonrpc/json';

/** A leaf or a branch of a tree. */
type Node =
  | { kind: 'text' | 'number' | 'literal'; text: string }
  /** `peek` is a preview of the members, shown while the branch is folded. */
  | { kind: 'branch'; open: string; close: string; peek: string; members: [key: string, value: unknown][] };

const PEEK = 72;
const MAX_KEY = 28;

/** A value of JSON as a tree of what is shown. */
export const toNode = (value: unknown): Node => {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value !== 'object' || value === null) return { kind: 'literal', text: String(value) };
  const list = Array.isArray(value);
  const members = Object.entries(value);
  const peek = list && members.length > 1 ? `${members.length} items: ${peekOf(members, list)}` : peekOf(members, list);
  return { kind: 'branch', open: list ? '[' : '{', close: list ? ']' : '}', peek, members };
};

const peekOf = (members: readonly [key: string, value: unknown][], list: boolean): string => {
  let text = '';
  for (const [key, value] of members) {
    text += `${text === '' ? '' : ', '}${list ? '' : `${cut(key, MAX_KEY)}: `}${toShortText(value)}`;
    if (text.length > PEEK) break;
  }
  return cut(text, PEEK);
};

const toShortText = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(cut(value, MAX_KEY));
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? '{}' : '{…}';
  return String(value);
};

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The value of a line, or of one message of a batch; undefined if the line is not JSON. */
export const messageIn = (text: string, part: number): unknown => {
  const value = parseJson(text);
  return part >= 0 && Array.isArray(value) ? value[part] : value;
};

/** The text that a run of deltas adds up to; undefined if they have none. */
export const joinedDeltas = (values: readonly unknown[]): string | undefined => {
  const pieces = values.map(deltaIn);
  return pieces.some((piece) => piece !== undefined) ? pieces.map((piece) => piece ?? '').join('') : undefined;
};

const deltaIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  const members = value as Record<string, unknown>;
  if (typeof members.delta === 'string') return members.delta;
  return deltaIn(members.params ?? members.msg ?? members.event, depth + 1);
};
