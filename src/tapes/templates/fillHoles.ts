/** Compares a message with a text with holes: `<uuid 1>`, `<time>`, `<anything>`, `<string $id>`. A named hole keeps its first value. */
import { isObject } from '../../protocol/jsonrpc/json';
import { hiddenBy } from '../matching/mask';
import { toCanonical } from '../matching/matchKey';

/** What a named hole takes; `any` is a string, a number, true, false or null. */
type HoleKind = 'string' | 'number' | 'any';

const NAMED = String.raw`<(string|number|any) (\$\w+)>`;
const WHOLE_NAMED = new RegExp(`^${NAMED}$`);
/** In a line of JSON: a whole string, which loses its quotes if the value is no string, or a part of a string. */
const IN_JSON = new RegExp(String.raw`(?<!\\)"${NAMED}"|${NAMED}`, 'g');

/** The same as a part of a larger pattern. */
const NAMED_SOURCE = NAMED;

/** A named hole as it is written in a message. */
export const toNamedHole = (kind: HoleKind, name: string): string => `<${kind} $${name}>`;

/** What a hole of this kind takes within a text. */
const namedPattern = (kind: string): string =>
  kind === 'number' ? '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?' : '[^"\'\\n]+?';

/** The text of a value of a named hole, given as JSON. */
const toValueText = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
};

type LearnedValues = Pick<Map<string, string>, 'get' | 'has'> & {
  set: (hole: string, value: string) => unknown;
};

/** Whether a hole that is the whole expected text takes the value; undefined for another text. Adds the value to `known`. */
const fitsNamedHole = (expected: string, actual: unknown, known: LearnedValues): boolean | undefined => {
  const [, kind, name] = WHOLE_NAMED.exec(expected) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  const isScalar = actual === null || ['string', 'number', 'boolean'].includes(typeof actual);
  if (!isScalar || (kind !== 'any' && typeof actual !== kind)) return false;
  const json = JSON.stringify(actual);
  const earlier = known.get(name);
  if (earlier === undefined) known.set(name, json);
  return earlier === undefined || toValueText(earlier) === toValueText(json);
};

/** A line with its named holes filled, each by its kind; undefined if a value is not known yet. */
const withNamedValues = (line: string, known: ReadonlyMap<string, string>): string | undefined => {
  const names = [...line.matchAll(IN_JSON)].map(([, , whole, , part]) => whole ?? part ?? '');
  if (names.some((name) => !known.has(name))) return undefined;
  return line.replace(IN_JSON, (...groups: (string | undefined)[]) => {
    const [hole = '', kind, whole, , part] = groups;
    const json = known.get(whole ?? part ?? '');
    if (json === undefined) return hole;
    if (whole === undefined) return JSON.stringify(toValueText(json)).slice(1, -1);
    if (kind === 'string') return JSON.stringify(toValueText(json));
    return kind === 'number' && isNumeral(toValueText(json)) ? toValueText(json) : json;
  });
};

const isNumeral = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);

/** The texts in numbered holes, and the JSON in named holes; a hole with a number or a name holds the same value everywhere. */
export type HoleValues = Map<string, string>;

/** Holes that take any text; the others take what their mask hides. */
const ANY = ['anything', 'id', 'masked', 'token'];
const NAMES = [...new Set([...ANY, ...hiddenBy.keys()])];
const HOLE = new RegExp(`<(${NAMES.join('|')})(?: (\\d+))?>|\\[redacted\\]|${NAMED_SOURCE}`, 'g');
/** A hole that is a whole value also takes numbers and objects. */
const WHOLE = /^(?:<(?:anything|duration|id|masked|memory|pid|port|time|token)>|\[redacted\])$/;

/** The expected value with its holes filled from the actual value; it equals that if both fit. Adds numbered holes to `known`. */
export const fillHoles = (expected: unknown, actual: unknown, known: LearnedValues): unknown => {
  if (typeof expected === 'string') return fits(expected, actual, known) ? actual : expected;
  if (isMatcher(expected)) {
    for (const [name, value] of Object.entries(expected.holesIn?.(actual) ?? {}))
      known.set(name, JSON.stringify(value));
    return expected.asymmetricMatch(actual) ? actual : `${expected}`;
  }
  if (Array.isArray(expected)) {
    return Array.isArray(actual) ? expected.map((one, i) => fillHoles(one, actual[i], known)) : expected;
  }
  if (!isObject(expected) || !isObject(actual)) return expected;
  return Object.fromEntries(
    Object.entries(expected).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, fillHoles(value, actual[name], known)]],
    ),
  );
};

/** Whether the expected value fits the actual value; `known` grows only then. */
export const fitsHoles = (expected: unknown, actual: unknown, known: HoleValues): boolean => {
  const learned = new Map<string, string>();
  const filled = fillHoles(expected, actual, onTopOf(known, learned));
  if (filled !== actual && toCanonical(filled) !== toCanonical(actual)) return false; // the same, and often large, if a matcher takes it
  for (const [hole, text] of learned) known.set(hole, text);
  return true;
};

/** Learned values are kept apart, as a copy of the known values would take long. */
const onTopOf = (known: HoleValues, learned: HoleValues): LearnedValues => ({
  get: (hole) => learned.get(hole) ?? known.get(hole),
  has: (hole) => learned.has(hole) || known.has(hole),
  set: (hole, value) => learned.set(hole, value),
});

/** A line with its numbered and named holes filled, escaped for JSON; undefined if a value is not known yet. */
export const withHoleValues = (written: string, known: HoleValues): string | undefined => {
  const line = withNumberedValues(written, known);
  return line === undefined ? undefined : withNamedValues(line, known);
};

const withNumberedValues = (line: string, known: HoleValues): string | undefined => {
  const holes = [...line.matchAll(HOLE)].filter(([, , number]) => number !== undefined);
  if (holes.some(([hole]) => !known.has(hole))) return undefined;
  return line.replace(HOLE, (hole) => JSON.stringify(known.get(hole) ?? hole).slice(1, -1));
};

/** `expect.any(String)` and the like, of any test runner. */
type Matcher = {
  asymmetricMatch: (actual: unknown) => boolean;
  /** The values of named holes that an actual value has, by their names, which begin with `$`. */
  holesIn?: (actual: unknown) => Readonly<Record<string, unknown>>;
};
const isMatcher = (value: unknown): value is Matcher =>
  isObject(value) && typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function';

const fits = (expected: string, actual: unknown, known: LearnedValues): boolean => {
  const fitsNamed = fitsNamedHole(expected, actual, known);
  if (fitsNamed !== undefined) return fitsNamed;
  if (expected === actual) return true;
  if (WHOLE.test(expected)) return expected === '<anything>' ? actual !== undefined : (actual ?? null) !== null;
  if (typeof actual !== 'string' || expected.search(HOLE) === -1) return false;
  const holes: string[] = [];
  const found = toPattern(expected, known, holes).exec(actual);
  found?.slice(1).forEach((text, i) => {
    const hole = holes[i] as string;
    known.set(hole, isNamed(hole) ? JSON.stringify(text) : text);
  });
  return found !== null;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The pattern of a text with holes.
 * @param holes gets the unknown holes, in the order of their groups
 */
const toPattern = (text: string, known: LearnedValues, holes: string[]): RegExp => {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: hole, 1: name = '', 2: number, 3: kind, 4: key = hole, index } of text.matchAll(HOLE)) {
    parts.push(escaped(text.slice(from, index)), sourceOf({ hole: key, name, number, kind }, known, holes));
    from = index + hole.length;
  }
  return new RegExp(`^${parts.join('')}${escaped(text.slice(from))}$`);
};

type Hole = {
  /** The key of its value. */
  hole: string;
  name: string;
  number: string | undefined;
  /** Of a named hole. */
  kind: string | undefined;
};

const isNamed = (hole: string): boolean => hole.startsWith('$');

const sourceOf = ({ hole, name, number, kind }: Hole, known: LearnedValues, holes: string[]): string => {
  const source = kind === undefined ? (hiddenBy.get(name)?.source ?? '[\\s\\S]*?') : namedPattern(kind);
  if (number === undefined && kind === undefined) return `(?:${source})`;
  const text = known.get(hole);
  if (text !== undefined) return escaped(isNamed(hole) ? toValueText(text) : text);
  const seen = holes.indexOf(hole);
  if (seen !== -1) return `(?:\\${seen + 1})`;
  holes.push(hole);
  return `(${source})`;
};
