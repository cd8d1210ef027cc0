/**
 * Reads parts of a JSON text as they were written, because parsing would round them: an id beyond 2^53 keeps all its digits, as a bigint. Own code:
 * parsers that keep long numbers, such as `lossless-json`, make an object of every number in a message; here only the id of a rare message is looked
 * up, after JSON.parse.
 */
import { isObject, type JsonObject } from './json';
import type { RequestId } from './messages';

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : text.length;
};

/** The position behind the closing quote. A regular expression would need a stack as deep as the string is long. */
export const endOfString = (text: string, at: number): number => {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
};

/** The tokens of a valid JSON text, without white space. */
function* tokens(text: string): Generator<string> {
  const signOrWord = /[{}[\],:]|[^\s{}[\],:"]+/y; // made here, as a sticky pattern holds a position
  const blank = /\s*/y;
  for (let at = endOf(blank, text, 0); at < text.length; at = endOf(blank, text, at)) {
    const end = text[at] === '"' ? endOfString(text, at) : endOf(signOrWord, text, at);
    yield text.slice(at, end);
    at = end;
  }
}

type Path = readonly (string | number)[];
/** Per open object or array, the name or the index that is being read; undefined before a name. */
type Road = (string | number | undefined)[];

const leadsTo = (road: Road, path: Path): boolean =>
  road.length <= path.length && road.every((part, i) => part === path[i]);

/**
 * The text of the scalar at `path` (names and indices from the root), or undefined. `text` is valid JSON; of
 * members with the same name the last counts, as for JSON.parse.
 *   rawMember('{"id":9007199254740993}', ['id'])  →  '9007199254740993'
 * Source: Codex 0.28.0 echoes 64-bit ids exactly; JSON.parse alone would round them.
 */
export const rawMember = (text: string, path: Path): string | undefined => {
  const road: Road = [];
  let found: string | undefined;
  for (const token of tokens(text)) {
    const here = road.at(-1);
    if (token === '}' || token === ']') road.pop();
    else if (token === ',') road[road.length - 1] = typeof here === 'number' ? here + 1 : undefined;
    else if (token === ':') continue;
    else if (road.length > 0 && here === undefined) road[road.length - 1] = JSON.parse(token) as string;
    else {
      const isContainer = token === '{' || token === '[';
      if (leadsTo(road, path)) found = isContainer || road.length < path.length ? undefined : token;
      if (isContainer) road.push(token === '[' ? 0 : undefined);
    }
  }
  return found;
};

/** The texts of the elements of an array, without the white space between their tokens. `text` is valid JSON. */
export const rawElements = (text: string): string[] => {
  const elements: string[] = [];
  let element = '';
  let depth = 0;
  for (const token of tokens(text)) {
    if (token === '}' || token === ']') depth -= 1;
    const isBorder = (depth === 1 && token === ',') || depth === 0;
    if (isBorder && element !== '') elements.push(element);
    element = isBorder ? '' : element + token;
    if (token === '{' || token === '[') depth += 1;
  }
  return elements;
};

/** The members of an object whose text may be cut off: the names that can be read, in quotes, and its scalar `id` as it was written. */
export const membersOfCut = (text: string): { names: readonly string[]; id: string | undefined } => {
  const names: string[] = [];
  let id: string | undefined;
  let depth = 0;
  let before = '';
  for (const token of tokens(text)) {
    if (depth === 1 && (before === '{' || before === ',')) names.push(token);
    if (depth === 1 && (token === ',' || token === '}') && names.at(-1) === '"id"') id = before;
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    before = token;
  }
  return { names, id };
};

/**
 * The value of a JSON text, in which integers that a double cannot hold are bigints; `toJson` writes these. Throws as JSON.parse does.
 *   parseExactly('{"id":9007199254740993}')  →  { id: 9007199254740993n }
 */
export const parseExactly = (text: string): unknown => {
  if (!hasLongNumber(text)) return JSON.parse(text);
  const texts = JSON.stringify(JSON.parse(text)); // `tokens` reads valid JSON; a text with escapes stands here as it is
  let mark = 'integer:'; // in a text of its own, so that nothing else begins with it
  while (texts.includes(mark)) mark = `_${mark}`;
  const marked = [...tokens(text)].map((token) => (isRounded(token) ? `"${mark}${token}"` : token)).join('');
  return JSON.parse(marked, (_, part: unknown) =>
    typeof part === 'string' && part.startsWith(mark) ? BigInt(part.slice(mark.length)) : part,
  );
};

/** True for a text that may have an integer which a double cannot hold. */
export const hasLongNumber = (text: string): boolean => /\d{16}/.test(text);

const isRounded = (token: string): boolean => INTEGER.test(token) && !Number.isSafeInteger(Number(token));

/** The text of a message, for values that parsing has rounded. */
export type Line = () => string;

/** The id as it was written; null for an id that cannot be used, such as a number that was rounded and is not written as an integer. */
export const readId = (id: unknown, line: Line): RequestId | null => {
  if (typeof id === 'string') return id;
  if (!isUnsafe(id)) return typeof id === 'number' ? id : null;
  const exact = exactNumber(id, line, ['id']);
  return typeof exact === 'bigint' || isKept(rawMember(line(), ['id'])) ? exact : null;
};

/** True for a text such as 1e20: a double keeps fifteen digits. 9007199254740993.0 would come back as 9007199254740992. */
const isKept = (raw = ''): boolean =>
  Number.isInteger(Number(raw)) && raw.replace(/e.*/i, '').replace(/\D/g, '').length <= 15;

/** A double ends at 309 digits; a longer number has become Infinity, and making a bigint of it could take seconds. */
const INTEGER = /^-?\d{1,309}$/;

/** An integer as it was written; what is written as a fraction or with an exponent stays as it was read. */
const exactNumber = (rounded: number, line: Line, path: readonly string[]): number | bigint => {
  const raw = rawMember(line(), path);
  return raw !== undefined && INTEGER.test(raw) ? BigInt(raw) : rounded;
};

/** Ids that travel inside params (a cancelled request, a progress token) stay exact as well. */
export const withExactIds = (params: JsonObject, line: Line): JsonObject => {
  const meta = params._meta;
  let exact = params;
  if (isUnsafe(params.requestId)) {
    exact = { ...exact, requestId: exactNumber(params.requestId, line, ['params', 'requestId']) };
  }
  if (isObject(meta) && isUnsafe(meta.progressToken)) {
    const progressToken = exactNumber(meta.progressToken, line, ['params', '_meta', 'progressToken']);
    exact = { ...exact, _meta: { ...meta, progressToken } };
  }
  return exact;
};

const isUnsafe = (value: unknown): value is number => typeof value === 'number' && !Number.isSafeInteger(value);
