/** The faults of a text that is not TOML, and the lines of settings. Own code: parsers end at the first fault; here the rest is parsed again. */
import { parse, TomlError } from 'smol-toml';
import { getIn, type Path, type Toml } from '../layer';

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

/** The faults in order, at most 20, none for valid TOML. What follows a statement without a known end is not looked at. */
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
  if (from === undefined) return undefined;
  const isHeader = from === faulty && HEADER.test(lines[from] ?? '');
  const to = isHeader ? from + 1 : endOf(lines, from);
  if (to === undefined) return undefined;
  // the keys below a header stay in a table of their own, or they would clash with keys of the table above
  const header = isHeader ? `[${NO_TABLE}.${from}]` : '';
  return lines.map((line, at) => (at < from || at >= to ? line : at === from ? header : ''));
};

const NO_TABLE = 'codex-rx-faulty';

/** A text of several lines may look like thousands of statements. */
const MAX_TRIED_LINES = 20_000;

/** The line of the fault; if the text before it is incomplete, the line above that begins the statement; undefined if it is not found soon. */
const beginOf = (lines: readonly string[], faulty: number): number | undefined => {
  let triedLines = 0;
  for (let at = faulty; at > 0; at -= 1) {
    if (at !== faulty && !BEGINS.test(lines[at] ?? '')) continue;
    triedLines += at;
    if (triedLines > MAX_TRIED_LINES + faulty) return undefined;
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

/** A header, or a key with its value, with the comments and empty lines above it. */
type Statement = {
  /** The line with which it begins, from 1. */
  line: number;
  text: string;
  /** The header that it stands below, or is; empty above the first one. */
  header: string;
};

/** What tells where a statement goes on: texts, comments, brackets, and ends of lines; by the quotes of the open text. */
const tokensOf = (): Readonly<Record<string, RegExp>> => ({
  '': /"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]/g,
  '"""': /\\[^\n]|"{3,5}|\n/g,
  "'''": /'{3,5}|\n/g,
});

/** The statements of valid TOML, in one pass; their texts together are the text. */
export const statementsOf = (text: string): Statement[] => {
  const all: Statement[] = [];
  for (let [line, at] = [1, 0]; at < text.length; ) {
    const [to, lines] = endFrom(text, at);
    const statement = text.slice(at, to);
    const header = HEADER.test(statement) ? statement : (all.at(-1)?.header ?? '');
    all.push({ line, text: statement, header });
    [line, at] = [line + lines, to];
  }
  return all;
};

const endFrom = (text: string, from: number): [offset: number, lines: number] => {
  const tokens = tokensOf();
  let [at, lines, depth, open] = [from, 0, 0, ''];
  for (;;) {
    const token = tokens[open] as RegExp;
    token.lastIndex = at;
    const part = token.exec(text)?.[0];
    if (part === undefined) return [text.length, lines + 1];
    at = token.lastIndex;
    if (part === '\n') lines += 1;
    else if (open !== '') open = /^["']/.test(part) ? '' : open;
    else if (/^(?:"""|''')$/.test(part)) open = part;
    else depth += /[[{]/.test(part[0] ?? '') ? 1 : /[\]}]/.test(part[0] ?? '') ? -1 : 0;
    if (part === '\n' && open === '' && depth <= 0) return [at, lines];
  }
};

const includes = ({ text, header }: Statement, name: string): boolean => text.includes(name) || header.includes(name);

const sets = ({ text, header }: Statement, path: Path): boolean =>
  getIn(parse(text === header ? text : `${header}\n${text}`, { integersAsBigInt: true }) as Toml, path) !== undefined;

/**
 * The line, counted from 1, of the statement that sets a path, or of the nearest table above it; undefined for neither. The parser records no positions, so
 * the statements that contain all its keys are parsed, each with its header. A file of a repository may be long: nothing is parsed twice for one path.
 * @param text valid TOML; looked through at the first path
 */
export const lineOf = (text: string): ((path: Path) => number | undefined) => {
  let all: Statement[] | undefined;
  const find = (path: Path): number | undefined => {
    const key = path.at(-1);
    if (key === undefined) return undefined;
    all ??= statementsOf(text);
    return (
      all.find((one) => path.every((name) => includes(one, name)) && sets(one, path))?.line ?? find(path.slice(0, -1))
    );
  };
  return find;
};
