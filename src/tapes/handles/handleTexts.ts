/** Visits the parts of a message that can hold handles, values that a server issues and a client sends back; and the words of their texts. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** Members whose values are handles, whatever they look like. */
const HANDLE_NAME =
  /^(?:id|pid|uid|port|handle|token|cursor|session|ref)s?$|[a-z](?:Id|Pid|Uid|Port|Handle|Token|Cursor|Session|Ref|Reference|State)s?$|[_-](?:id|pid|uid|port|handle|token|cursor|session|ref)s?$/;
/** Members whose numbers are handles; a text in them may be a word. */
const NUMBER_NAME = /^(?:fd|job|task|process|thread|tab|window|connection|channel|timer)$/;
/** Members that name a request, or whose values both sides know before. */
const OTHER_NAME =
  /^(?:jsonrpc|requestId|progressToken|codex_mcp_tool_call_id|protocolVersion|clientInfo|serverInfo|capabilities|supportedVersions|io\.modelcontextprotocol\/.*)$/;

/** A string or a number in a message. */
export type Leaf = {
  text: string;
  /** Of the member that it is in. */
  name: string;
  isNumber: boolean;
  /** The member is for handles. */
  isNamed: boolean;
};

const leafOf = (value: string | number, name: string): Leaf => ({
  text: String(value),
  name,
  isNumber: typeof value === 'number',
  isNamed: HANDLE_NAME.test(name) || (typeof value === 'number' && NUMBER_NAME.test(name)),
});

/** The parts of a message that can hold handles: its body without ids of requests. The last two are those of a debug adapter. */
const bodyOf = (message: JsonObject): [name: string, part: unknown][] =>
  BODIES.flatMap((name): [string, unknown][] => (name in message ? [[name, message[name]]] : []));

const BODIES = ['params', 'result', 'error', 'arguments', 'body'];

const membersOf = (object: JsonObject): [name: string, part: unknown][] =>
  Object.entries(object).filter(([name]) => !OTHER_NAME.test(name));

/** Calls `visit` with each leaf of a message, or of each message of a batch. */
export const visitMessage = (message: unknown, visit: (leaf: Leaf) => void): void => {
  if (Array.isArray(message)) for (const one of message) visitMessage(one, visit);
  else if (isObject(message)) for (const [name, part] of bodyOf(message)) visitLeaves(part, visit, name);
};

const visitLeaves = (value: unknown, visit: (leaf: Leaf) => void, name: string): void => {
  if (isLeaf(value)) visit(leafOf(value, name));
  else if (Array.isArray(value)) for (const one of value) visitLeaves(one, visit, name);
  else if (isObject(value)) for (const [member, one] of membersOf(value)) visitLeaves(one, visit, member);
};

/** The message with other leaves; a leaf for which `change` returns undefined stays. */
export const mapMessage = (message: unknown, change: (leaf: Leaf) => unknown): unknown => {
  if (Array.isArray(message)) return message.map((one) => mapMessage(one, change));
  if (!isObject(message)) return message;
  return {
    ...message,
    ...Object.fromEntries(bodyOf(message).map(([name, part]) => [name, mapLeaves(part, change, name)])),
  };
};

const mapLeaves = (value: unknown, change: (leaf: Leaf) => unknown, name: string): unknown => {
  if (isLeaf(value)) return change(leafOf(value, name)) ?? value;
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, change, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      OTHER_NAME.test(member) ? one : mapLeaves(one, change, member),
    ]),
  );
};

/** Calls `visit` with each pair of leaves that have the same place in two messages. */
export const visitBoth = (recorded: unknown, now: unknown, visit: (recorded: Leaf, now: Leaf) => void): void => {
  const both = (one: unknown, other: unknown, name: string): void => {
    if (isLeaf(one)) {
      if (isLeaf(other)) visit(leafOf(one, name), leafOf(other, name));
    } else if (Array.isArray(one)) {
      if (Array.isArray(other)) for (const [i, part] of one.entries()) both(part, other[i], name);
    } else if (isObject(one) && isObject(other)) {
      for (const [member, part] of membersOf(one)) both(part, other[member], member);
    }
  };
  if (!isObject(recorded) || !isObject(now)) return;
  for (const [name, part] of bodyOf(recorded)) both(part, now[name], name);
};

const isLeaf = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const WORD = /[\w-]+/g;
/** From the first digit of a word on; few words of a text have a digit. */
const FROM_DIGIT = /\d[\w-]*/g;
const JOINTS = '_-';

type Word = {
  whole: string;
  /** Without the dashes and underscores around it. */
  inner: string;
  /** Its place in the text. */
  at: number;
};

const innerOf = (word: string): string => {
  let [from, to] = [0, word.length];
  while (from < to && JOINTS.includes(word[from] as string)) from += 1;
  while (to > from && JOINTS.includes(word[to - 1] as string)) to -= 1;
  return word.slice(from, to);
};

/** All words of a text. */
export const wordsIn = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: whole, index }) => ({ whole, inner: innerOf(whole), at: index }));

/** The words of a text that have a digit; a word in dashes or underscores is listed with and without these. */
export const tokensIn = (text: string): string[] =>
  Array.from(text.matchAll(FROM_DIGIT), ({ 0: tail, index }) => {
    let from = index;
    while (from > 0 && /[\w-]/.test(text[from - 1] as string)) from -= 1;
    const whole = text.slice(from, index + tail.length);
    const inner = innerOf(whole);
    return inner === whole ? [whole] : [whole, inner];
  }).flat();

/** The text with other words; a word for which `change` returns undefined stays. */
export const withWords = (text: string, change: (word: string) => string | undefined): string =>
  text.replace(WORD, (whole) => {
    const changed = change(whole);
    if (changed !== undefined) return changed;
    const inner = innerOf(whole);
    return inner === whole ? whole : whole.replace(inner, () => change(inner) ?? inner);
  });

/** Pairs the words of two texts: by position among words with digits, or all words, if both have equally many; else by the text before. */
export const pairWords = (text: string, other: string): [Word, Word][] => {
  const [words, others] = [wordsIn(text), wordsIn(other)];
  const [tokens, otherTokens] = [words.filter(hasDigit), others.filter(hasDigit)];
  const pairOf = (word: Word, i: number): Word | undefined => {
    if (hasDigit(word) && tokens.length === otherTokens.length) return otherTokens[tokens.indexOf(word)];
    return words.length === others.length ? others[i] : wordBehind(contextOf(text, word), other, others);
  };
  return words.flatMap((word, i): [Word, Word][] => {
    const found = pairOf(word, i);
    return found === undefined ? [] : [[word, found]];
  });
};

const hasDigit = ({ whole }: Word): boolean => /\d/.test(whole);

const CONTEXT_CHARS = 12;

const contextOf = (text: string, { at }: Word): string => text.slice(Math.max(0, at - CONTEXT_CHARS), at);

const wordBehind = (context: string, text: string, words: readonly Word[]): Word | undefined => {
  const found = text.indexOf(context);
  return found === -1 ? undefined : words.find(({ at }) => at >= found + context.length);
};
