/**
 * Leaves out what a comparison ignores: parts of messages by their paths, and whole messages by their methods. Own code: paths are written as in reports;
 * libraries of JSONPath have another syntax, and select values instead of leaving them out.
 */
import { parseJson } from '../../protocol/jsonrpc/json';
import { tokenize } from '../../streams/text/words';

/** The names of members and the indices of items from the root on; `ANY` stands for one step, `DEEP` for any number of steps. */
type IgnoredPath = readonly (string | typeof ANY | typeof DEEP)[];

/** What a comparison ignores. */
export type Ignored = {
  paths: readonly IgnoredPath[];
  /** They match the method of a message, or its label: the tool it calls, the type of the event in it. */
  methods: readonly RegExp[];
};

const ANY = Symbol('any');
const DEEP = Symbol('deep');

/** A step as a report writes it: `.name`, `[0]`, `["a name"]`; `*` for any, `**` for any number of steps. */
const STEP = /\.?(\*\*|\*)|\[(\*|\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[\]*"]+)/gy;

/** The path that a text names, as a report writes it, with or without `message` at the beginning; undefined if the text is no path. */
export const toIgnoredPath = (text: string): IgnoredPath | undefined => {
  const path: IgnoredPath[number][] = [];
  const source = text.trim().replace(/^message(?=[.[])/, '');
  for (const step of tokenize(STEP, source) ?? []) {
    const [, stars, index, quoted, name] = step;
    const found = stars ?? index ?? (quoted === undefined ? name : (parseJson(quoted) as string | undefined));
    if (found === undefined) return undefined;
    path.push(quoted === undefined && name === undefined ? stepOf(found) : found);
  }
  return path.length === 0 || path.at(-1) === DEEP ? undefined : path;
};

const stepOf = (text: string): IgnoredPath[number] => {
  if (text === '**') return DEEP;
  return text === '*' ? ANY : text;
};

/** The pattern of methods, or of tools, that a text names; `*` stands for any characters. A star takes as little as it can, and never more later. */
export const toIgnoredMethod = (text: string): RegExp => {
  const [first = '', ...parts] = text
    .trim()
    .split(/\*+/)
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const last = parts.pop();
  const between = parts.map((part, i) => `(?=(.*?${part}))\\${i + 1}`);
  return new RegExp(`^${first}${between.join('')}${last === undefined ? '' : `.*${last}`}$`);
};

/** Whether a label of a message is ignored. */
export const ignoresLabel = (ignored: Ignored | undefined, labels: readonly string[]): boolean =>
  ignored?.methods.some((pattern) => labels.some((label) => pattern.test(label))) ?? false;

/** The value without the members and items at these paths. */
export const withoutPaths = (paths: readonly IgnoredPath[], value: unknown): unknown => {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const rest = paths.flatMap((path) => restBehind(path, name));
    return rest.some(({ length }) => length === 0) ? [] : [[name, withoutPaths(rest, part)]];
  });
  return Array.isArray(value) ? kept.map(([, part]) => part) : Object.fromEntries(kept);
};

/** What is left of a path after one step: nothing if it does not fit, two paths if it begins with `DEEP`. */
const restBehind = (path: IgnoredPath, name: string): IgnoredPath[] => {
  const [step, ...rest] = path;
  if (step === DEEP) return [path, ...restBehind(rest, name)];
  return step === ANY || step === name ? [rest] : [];
};
