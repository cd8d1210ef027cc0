/**
 * Finds the handles of a session: values that the server issues and the client sends back, such as request state, cursors, task
 * ids and process ids. They differ from run to run, but all references to one differ alike.
 */
import { isObject } from '../../protocol/jsonrpc/json';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';
import { type Candidate, candidatesIn, keysOf } from './handleCandidates';
import { type Leaf, visitMessage } from './handleTexts';
import { isDescription } from './isDescription';

/** A handle. `id` counts them from 0; `origin` is the same in every run: the client line that it was issued for, and its place. */
export type Handle = { id: number; origin: string };

/** The handles of a session by their keys. */
export type Handles = ReadonlyMap<string, Handle>;

/** Finds the handles: values that a server line has first, and that a later client line sends back. */
export const toHandles = (index: SessionIndex): Handles => {
  const sent = toSent(index.clientLines);
  const handles = new Map<string, Handle>();
  const issued = new Map<string, number>();
  if (sent.size === 0) return handles;
  const words = [...sent.keys()].filter((key) => !/[\d\s]/.test(key)).slice(0, MAX_WORDS);
  for (const line of index.serverLines) {
    visitMessage(issuedBy(index, line), (leaf) => {
      for (const candidate of candidatesIn(leaf, words)) {
        if (handles.has(candidate.key) || !isSentBack(sent.get(candidate.key), candidate, line)) continue;
        const owner = ownerOf(line);
        const place = issued.get(owner) ?? 0;
        issued.set(owner, place + 1);
        handles.set(candidate.key, { id: handles.size, origin: `${owner}.${place}` });
      }
    });
  }
  return handles;
};

/** The most words that every text is searched for. */
const MAX_WORDS = 200;

/** A value that the client sends: `line` is its first line that has it. */
type Sent = { line: number; isSure: boolean };

const toSent = (clientLines: readonly ClientLine[]): ReadonlyMap<string, Sent> => {
  const sent = new Map<string, Sent>();
  for (const [line, { value }] of clientLines.entries()) {
    visitMessage(withoutCallee(value), (leaf) => {
      for (const { key, isSure } of candidatesIn(leaf, [])) {
        const before = sent.get(key);
        sent.set(key, { line: before?.line ?? line, isSure: isSure || before?.isSure === true });
      }
    });
  }
  return sent;
};

const isSentBack = (sent: Sent | undefined, { isSure }: Candidate, { clientLinesBefore }: ServerLine): boolean =>
  sent !== undefined && (isSure || sent.isSure) && sent.line >= clientLinesBefore;

/** The name of the tool or of the prompt is that of an interface, which does not differ from run to run. */
const withoutCallee = (message: unknown): unknown => {
  if (!isObject(message) || !isObject(message.params)) return message;
  if (message.method !== 'tools/call' && message.method !== 'prompts/get') return message;
  const { name, ...params } = message.params;
  return { ...message, params };
};

/** A description holds no handles, except for the cursor of the next page. */
const issuedBy = (index: SessionIndex, line: ServerLine): unknown => {
  const { value } = line;
  if (!isDescription(index, line)) return value;
  const result = isObject(value) && isObject(value.result) ? value.result : {};
  return 'nextCursor' in result ? { result: { nextCursor: result.nextCursor } } : undefined;
};

const ownerOf = ({ link, owner }: ServerLine): string => (link === 'named' ? String(owner) : 'free');

/** The handle that a whole value is. */
export const handleOf = (handles: Handles, leaf: Leaf): Handle | undefined => {
  const key = keysOf(leaf).find((one) => handles.has(one));
  return key === undefined ? undefined : handles.get(key);
};
