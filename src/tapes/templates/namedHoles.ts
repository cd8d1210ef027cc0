/** Named holes: `<string $id>` takes any text at first; from then on its name stands for the same value everywhere. */

/** What a named hole takes; `any` is a string, a number, true, false or null. */
type HoleKind = 'string' | 'number' | 'any';

const NAMED = String.raw`<(string|number|any) (\$\w+)>`;
const WHOLE = new RegExp(`^${NAMED}$`);
/** In a line of JSON: a whole string, which loses its quotes if the value is no string, or a part of a string. */
const IN_JSON = new RegExp(String.raw`(?<!\\)"${NAMED}"|${NAMED}`, 'g');

/** The same as a part of a larger pattern. */
export const NAMED_SOURCE = NAMED;

/** A named hole as it is written in a message. */
export const toNamedHole = (kind: HoleKind, name: string): string => `<${kind} $${name}>`;

/** What a hole of this kind takes within a text. */
export const namedPattern = (kind: string): string =>
  kind === 'number' ? '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?' : '[^"\'\\n]+?';

/** The text of a value of a named hole, given as JSON. */
export const toValueText = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
};

/** The values of holes, to which more are added. */
export type LearnedValues = Pick<Map<string, string>, 'get' | 'has'> & {
  set: (hole: string, value: string) => unknown;
};

/** Whether a hole that is the whole expected text takes the value; undefined for another text. Adds the value to `known`. */
export const fitsNamedHole = (expected: string, actual: unknown, known: LearnedValues): boolean | undefined => {
  const [, kind, name] = WHOLE.exec(expected) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  const isScalar = actual === null || ['string', 'number', 'boolean'].includes(typeof actual);
  if (!isScalar || (kind !== 'any' && typeof actual !== kind)) return false;
  const json = JSON.stringify(actual);
  const earlier = known.get(name);
  if (earlier === undefined) known.set(name, json);
  return earlier === undefined || toValueText(earlier) === toValueText(json);
};

/** A line with its named holes filled, each by its kind; undefined if a value is not known yet. */
export const withNamedValues = (line: string, known: ReadonlyMap<string, string>): string | undefined => {
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
