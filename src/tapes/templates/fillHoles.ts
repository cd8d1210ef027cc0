/** Compares a message with an expected one that has holes: `<uuid 1>`, `<time>`, `<anything>`, `<string $id>`. */
import { isObject } from '../../protocol/jsonrpc/json';
import { hiddenBy } from '../matching/mask';
import { toCanonical } from '../matching/matchKey';
import {
  fitsNamedHole,
  type LearnedValues,
  NAMED_SOURCE,
  namedPattern,
  toValueText,
  withNamedValues,
} from './namedHoles';

/** The texts in numbered holes, and the JSON in named holes; a hole with a number or a name holds the same value everywhere. */
export type HoleValues = Map<string, string>;

/** Holes that take any text; the others take what their mask hides. */
const ANY = ['anything', 'id', 'masked', 'token'];
const NAMES = [...new Set([...ANY, ...hiddenBy.keys()])];
const HOLE = new RegExp(`<(${NAMES.join('|')})(?: (\\d+))?>|\\[redacted\\]|${NAMED_SOURCE}`, 'g');
/** A hole that is a whole value also takes numbers and objects. */
const WHOLE = /^(?:<(?:anything|duration|id|masked|pid|port|time|token)>|\[redacted\])$/;

/**
 * The expected value with its holes filled from the actual value; a part that does not fit stays as it is. The result equals the actual value if both
 * fit. Adds the texts of numbered holes to `known`.
 */
export const fillHoles = (expected: unknown, actual: unknown, known: LearnedValues): unknown => {
  if (typeof expected === 'string') return fits(expected, actual, known) ? actual : expected;
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? actual : `${expected}`;
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
  if (toCanonical(fillHoles(expected, actual, onTopOf(known, learned))) !== toCanonical(actual)) return false;
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
type Matcher = { asymmetricMatch: (actual: unknown) => boolean };
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
