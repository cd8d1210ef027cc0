/**
 * The faults of a text that is not TOML, and the lines of settings. Own code: parsers of TOML for JavaScript end at the first fault, so the text is parsed
 * again without that statement.
 */
import { parse, TomlError } from 'smol-toml';
import { getIn, type Path, type Toml } from '../layer';

/** A fault of a TOML file. */
type TomlFault = {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** The cause and the remedy. */
  fault: string;
};

/** A text that is no TOML at all has one for each line, which would help nobody. */
const MAX_FAULTS = 20;

/**
 * The faults in the order of the lines, none for valid TOML, at most 20. If a faulty statement has no known end, as a text of several lines that is not
 * closed, what comes after it is not looked at.
 */
export const tomlFaults = (text: string): TomlFault[] => {
  const faults: TomlFault[] = [];
  let rest: readonly string[] | undefined = text.split('\n');
  while (rest !== undefined && faults.length < MAX_FAULTS) {
    const error = parseErrorOf(rest);
    if (error === undefined) break;
    faults.push({ line: error.line, column: error.column, fault: tomlFault(text, error) });
    rest = withoutStatement(rest, error.line - 1);
  }
  return faults;
};

const parseErrorOf = (lines: readonly string[]): TomlError | undefined => {
  try {
    parse(lines.join('\n'), { integersAsBigInt: true });
    return undefined;
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
};

/** The beginning of a statement: a key and its sign, or a header. */
const KEY = `(?:[\\w-]+|"(?:[^"\\\\]|\\\\.)*"|'[^']*')`;
const BEGINS = new RegExp(
  `^\\s*(?:${KEY}(?:\\s*\\.\\s*${KEY})*\\s*=|\\[{1,2}\\s*${KEY}(?:\\s*\\.\\s*${KEY})*\\s*\\]{1,2}\\s*(?:#.*)?$)`,
);
const HEADER = /^\s*\[/;

/** The lines with an empty place for the faulty statement, so that the lines below keep their numbers; undefined if its end is unknown. */
const withoutStatement = (lines: readonly string[], faulty: number): string[] | undefined => {
  const from = beginOf(lines, faulty);
  const isHeader = from === faulty && HEADER.test(lines[from] ?? '');
  const to = isHeader ? from + 1 : endOf(lines, from);
  if (to === undefined) return undefined;
  // the keys below a header stay in a table of their own, or they would clash with keys of the table above
  const header = isHeader ? `[${NO_TABLE}.${from}]` : '';
  return lines.map((line, at) => (at < from || at >= to ? line : at === from ? header : ''));
};

const NO_TABLE = 'codex-rx-faulty';

/** The line of the fault; if the text before it is incomplete, the line above that begins the statement. */
const beginOf = (lines: readonly string[], faulty: number): number => {
  for (let at = faulty; at > 0; at -= 1) {
    if (at !== faulty && !BEGINS.test(lines[at] ?? '')) continue;
    if (parseErrorOf([...lines.slice(0, at), '']) === undefined) return at;
  }
  return 0;
};

/**
 * Where the statement ends: with its line, or where its brackets are closed, else where the next one begins, no deeper than this one, as a table in
 * braces has lines that look the same. Undefined for a text of several lines that is not closed.
 */
const endOf = (lines: readonly string[], from: number): number | undefined => {
  let [marks, open] = [0, 0];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const isOutside = marks % 2 === 0;
    if (at > from && isOutside && BEGINS.test(line) && depthOf(line) <= depthOf(lines[from] ?? '')) return at;
    marks += countOf(line, TRIPLE);
    open += countOf(line, OPENING) - countOf(line, CLOSING);
    if (marks % 2 === 0 && open <= 0) return at + 1;
  }
  return marks % 2 === 0 ? lines.length : undefined;
};

const TRIPLE = /"""|'''/g;
const OPENING = /[[{]/g;
const CLOSING = /[\]}]/g;
const countOf = (line: string, pattern: RegExp): number => line.match(pattern)?.length ?? 0;
const depthOf = (line: string): number => line.length - line.trimStart().length;

const NO_KEY =
  'the key cannot be read; write KEY = VALUE, and a key with other characters than letters, digits, - and _ in quotes';

/** What the parser reports, and what the author of the file has most likely done. */
const REMEDIES: Readonly<Record<string, string>> = {
  'incomplete key-value: cannot find end of key': NO_KEY,
  'unfinished string': 'a string is not closed; end it with the quotes that it begins with',
  'invalid value': 'the value cannot be read; put a text in quotes',
  'illegal character in key': NO_KEY,
  'trying to redefine an already defined table or value': 'this key or table is defined twice; remove one of them',
  'unrecognised escape sequence':
    'the escape sequence is unknown; write \\\\ for a backslash, or put the text in single quotes',
  'expected comma or end of structure': 'a comma is missing, or the list or table is not closed',
  'each key-value declaration must be followed by an end-of-line':
    'the line continues after the value; put the whole text in quotes, or begin a new line',
};

const CONTROL = 'control characters are not allowed in strings';

/** The cause and the remedy; without a known remedy, the text of the parser. Its excerpt is left out: the line may hold a key. */
export const tomlFault = (text: string, error: TomlError): string => {
  const [first = ''] = error.message.split('\n');
  const cause = first.replace('Invalid TOML document: ', '');
  if (cause !== CONTROL) return REMEDIES[cause] ?? cause;
  const line = text.split(/\r?\n/)[error.line - 1] ?? '';
  return error.column > line.length
    ? 'a string is not closed in its line; end it with quotes, or put a text of several lines in three quotes on each side'
    : 'a string holds a control character; write it as an escape, such as \\u001b';
};

const parseLines = (lines: readonly string[]): Toml | undefined => {
  try {
    return parse(lines.map((line) => `${line}\n`).join(''), { integersAsBigInt: true }) as Toml;
  } catch {
    return undefined; // an incomplete statement: the next line may complete it
  }
};

/** Parses up to the end of the statement that starts at line `at`. */
const parseThrough = (lines: readonly string[], at: number): Toml | undefined => {
  for (let end = at + 1; end <= lines.length; end += 1) {
    const value = parseLines(lines.slice(0, end));
    if (value !== undefined) return value;
  }
  return undefined;
};

const sets = (lines: readonly string[], at: number, path: Path): boolean => {
  const before = parseLines(lines.slice(0, at));
  if (before === undefined || getIn(before, path) !== undefined) return false;
  return getIn(parseThrough(lines, at), path) !== undefined;
};

/**
 * The line, counted from 1, of the statement that sets a path, or of the nearest table above it; undefined for neither.
 * The parser records no positions, so texts that end at a line are parsed. Only lines that contain the key are tried: the text before the right one lacks the
 * path, the text through it has it.
 * @param text valid TOML
 */
export const lineOf = (text: string, path: Path): number | undefined => {
  const key = path.at(-1);
  if (key === undefined) return undefined;
  const lines = text.split('\n');
  const at = lines.findIndex((line, index) => line.includes(key) && sets(lines, index, path));
  return at < 0 ? lineOf(text, path.slice(0, -1)) : at + 1;
};
