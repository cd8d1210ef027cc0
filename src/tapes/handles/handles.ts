/**
 * Finds the handles of a session: values that the server issues and the client sends back, such as request state, cursors, task ids and process ids.
 * They differ from run to run, and all references to a handle differ in the same way.
 */
import { isObject } from '../../protocol/jsonrpc/json';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';
import { polledTask } from '../session/sessionTasks';
import { type Leaf, tokensIn, visitMessage } from './handleTexts';

/** A value that the server issues. */
export type Handle = {
  /** Counts the handles from 0. */
  id: number;
  /** The client line that it was issued for, and its place in the responses: the same in every run. */
  origin: string;
};

/** The handles of a session by their keys. */
export type Handles = ReadonlyMap<string, Handle>;

/** Finds the handles: values that appear first in a server line, and then in a later client line. */
export const toHandles = (index: SessionIndex): Handles => {
  const sent = toSent(index.clientLines);
  const handles = new Map<string, Handle>();
  const issued = new Map<string, number>();
  if (sent.size === 0) return handles;
  const rankOf = toRanks(index.clientLines);
  const words = [...sent.keys()].filter((key) => !/[\d\s]/.test(key)).slice(0, MAX_WORDS);
  for (const line of index.serverLines) {
    visitMessage(issuedBy(index, line), (leaf) => {
      for (const candidate of candidatesIn(leaf, words)) {
        if (handles.has(candidate.key) || !isSentBack(sent.get(candidate.key), candidate, line)) continue;
        const owner = line.link === 'named' ? rankOf(line.owner) : 'free';
        const place = issued.get(owner) ?? 0;
        issued.set(owner, place + 1);
        handles.set(candidate.key, { id: handles.size, origin: `${owner}.${place}` });
      }
    });
  }
  return handles;
};

/** The number of a client line, not counting polls of tasks: how often a client polls differs from run to run. */
const toRanks = (clientLines: readonly ClientLine[]): ((line: number) => string) => {
  let count = 0;
  const ranks = clientLines.map(({ messages: [message] }) =>
    polledTask(message) === undefined ? String(count++) : `poll ${count}`,
  );
  return (line) => ranks[line] ?? '';
};

/** No text is searched for more words than these. */
const MAX_WORDS = 200;

type Sent = {
  /** The client's first line with the value. */
  line: number;
  isSure: boolean;
};

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

/** The name of a tool or a prompt belongs to an interface, which is the same in each run. */
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

/** The handle that a whole value is. */
export const handleOf = (handles: Handles, leaf: Leaf): Handle | undefined => {
  const key = keysOf(leaf).find((one) => handles.has(one));
  return key === undefined ? undefined : handles.get(key);
};

/** A value that may be a handle. */
export type Candidate = {
  key: string;
  /** The value or the name of its member shows that it is a handle; if false, the same value of the other side must show it. */
  isSure: boolean;
};

const DATE = /^\d{4}-\d\d-\d\d/;
const NUMBER = /^\d+$/;
/** Paths and URIs are names of a server's own things; only parts of them may be handles. */
const LOCATION = /^(?:[a-z][a-z\d+.-]*:\/\/|\.{0,2}\/|[A-Za-z]:\\)/;
/** A path in a folder that is made for one run. */
const TEMPORARY = /^(?:file:\/\/)?(?:\/private)?\/(?:tmp|var\/folders)\/./;
const TEMPORARY_FOLDER = /(?<=\/(?:tmp|T)\/)[\w-]{6,}/g;
/** A quick test before `TEMPORARY_FOLDER`, which takes much longer. */
const MAY_BE_TEMPORARY = /\/(?:tmp|T)\//;
/** Random letters change between upper and lower case more than once. */
const MIXED_CASE = /[a-z][A-Z].*[a-z][A-Z]/;

const hasDigits = (text: string): boolean => /^\S{6,}$/.test(text) && /\d/.test(text) && !DATE.test(text);

/** A text without spaces that has digits and letters can be recognised wherever it occurs. */
const isDistinct = (text: string): boolean => hasDigits(text) && !NUMBER.test(text) && !LOCATION.test(text);

/** Numbers and random letters can be recognised elsewhere once a member has named them; a short number is too common. */
const isLong = (text: string, minDigits: number): boolean => {
  if (NUMBER.test(text)) return text.length >= minDigits;
  return isDistinct(text) || (/^\S{6,}$/.test(text) && MIXED_CASE.test(text) && !LOCATION.test(text));
};

/** A text that is a long number is an id: a quantity would be a number. One in forty hex ids of eight digits has no letter. */
const NUMBER_TEXT = /^\d{8,}$/;

/** The digits that a number needs in a text, and in a member for handles. */
const MIN_DIGITS = 3;
/** The digits that a number needs in other members, and in paths. */
const MIN_BARE_DIGITS = 4;

/** A key that begins with this counts in members for handles only. */
const ONLY_NAMED = '= ';

/** The keys that a whole value may have, the best first. */
export const keysOf = ({ text, isNumber, isNamed }: Leaf): string[] => {
  if (isNamed) return [text, `${ONLY_NAMED}${text}`];
  return isNumber && text.length < MIN_BARE_DIGITS ? [] : [text];
};

/** No server makes longer handles, and on a text of megabytes a regular expression overflows the stack. */
const MAX_CHARS = 100_000;

const wholeIn = ({ text, isNumber, isNamed }: Leaf): Candidate[] => {
  if (text === '' || text.length > MAX_CHARS) return [];
  if (isNamed) return [{ key: isLong(text, MIN_DIGITS) ? text : `${ONLY_NAMED}${text}`, isSure: true }];
  if (!isNumber && (isDistinct(text) || TEMPORARY.test(text) || NUMBER_TEXT.test(text)))
    return [{ key: text, isSure: true }];
  return isLong(text, isNumber ? MIN_BARE_DIGITS : MIN_DIGITS) ? [{ key: text, isSure: false }] : [];
};

/**
 * The candidates in a value.
 * @param words without digits, to search for in texts: the client sends them in members for handles
 */
export const candidatesIn = (leaf: Leaf, words: readonly string[]): Candidate[] => {
  const { text, isNumber } = leaf;
  const whole = wholeIn(leaf);
  if (isNumber || text.length < MIN_DIGITS) return whole;
  const tokens = tokensIn(text);
  const isLocation = tokens.length > 0 && LOCATION.test(text);
  return [
    ...whole,
    ...tokens.flatMap((token) => candidateOf(token, isLocation)),
    ...(MAY_BE_TEMPORARY.test(text) ? (text.match(TEMPORARY_FOLDER) ?? []) : []).map((key) => ({ key, isSure: true })),
    ...words.flatMap((key) => (text.includes(key) ? [{ key, isSure: false }] : [])),
  ];
};

const candidateOf = (key: string, isLocation: boolean): Candidate[] => {
  if (key.length > MAX_CHARS) return [];
  if (NUMBER.test(key))
    return key.length < MIN_DIGITS ? [] : [{ key, isSure: isLocation && key.length >= MIN_BARE_DIGITS }];
  return isDistinct(key) ? [{ key, isSure: true }] : [];
};

/** Requests for descriptions of a server, whose results hold no handles and nothing measured. */
const METHODS = ['initialize', 'server/discover', 'tools/list', 'prompts/list', 'resources/templates/list'];

/** Whether a line of the server responds to a request for a description. */
export const isDescription = (
  { clientLines }: Pick<SessionIndex, 'clientLines'>,
  { link, owner }: ServerLine,
): boolean => {
  const [request] = (link === 'named' && clientLines[owner]?.messages) || [];
  return request?.kind === 'request' && METHODS.includes(request.method);
};
