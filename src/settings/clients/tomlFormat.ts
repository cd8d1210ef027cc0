/** TOML, changed in place. Own code: the libraries that keep comments write the whole file again. */
import { parse, stringify } from 'smol-toml';
import { isObject, type JsonObject, toObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import { reasonOf } from '../../streams/text/reasons';
import { statementsOf } from '../faults/tomlFaults';
import type { Format } from './jsonFormat';

/** A header or a key with its value, a comment, or an empty line; the texts of all together are the file. */
type Statement = {
  text: string;
  /** The value as a file of its own. */
  value: JsonObject;
  /** The table that a header names. */
  header?: string[];
};

const read = (text: string): JsonObject => {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(reasonOf(error).split('\n')[0]);
  }
};

const toStatements = (text: string): Statement[] =>
  statementsOf(text).map((one) => {
    const value = read(one.text);
    return { text: one.text, value, ...(one.text === one.header && { header: headerOf(value) }) };
  });

const tryToRead = (text: string): JsonObject | undefined => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

const headerOf = (value: unknown): string[] => {
  const [name] = isObject(value) ? Object.keys(value) : [];
  return isObject(value) && name !== undefined ? [name, ...headerOf(value[name])] : [];
};

const isBelow = (path: readonly string[], header: readonly string[]): boolean =>
  path.every((name, at) => header[at] === name);

/** The text with a table, a key of a table, or without them. */
const set: Format['set'] = (text, path, value) => {
  read(text);
  const all = toStatements(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (value === undefined && path.length === 2) return joined(withoutTable(all, path));
  if (path.length > 2) return joined(withKey(all, path, value));
  const head = `[${path.map(keyText).join('.')}]`;
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const members = Object.entries(withoutUndefined(toObject(value))).map(([name, one]) => lineOf(name, one));
  return `${text}${gap}${[head, ...members].join(eol)}${eol}`;
};

/** TOML, as Codex keeps its settings. */
export const tomlFormat: Format = { read, set };

const joined = (all: readonly Statement[]): string => all.map(({ text }) => text).join('');

const lineOf = (name: string, value: unknown): string => `${keyText(name)} = ${valueText(value)}`;

/** A table stands in braces: in lines of its own it would be a table of the file. */
const valueText = (value: unknown): string =>
  isObject(value)
    ? `{ ${Object.entries(value)
        .map(([name, one]) => lineOf(name, one))
        .join(', ')} }`
    : stringify({ v: value }).slice('v = '.length).trimEnd();

const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Each header with what follows it, after what comes before the first. */
const toSections = (all: readonly Statement[]): Statement[][] => {
  const starts = [0, ...all.flatMap(({ header }, at) => (header !== undefined && at > 0 ? [at] : []))];
  return starts.map((start, at) => all.slice(start, starts[at + 1]));
};

/** Without the comments and empty lines in front of the next header. */
const lengthOf = (section: readonly Statement[]): number =>
  section.findLastIndex(({ header, value }) => header !== undefined || Object.keys(value).length > 0) + 1;

/** A table and the tables in it go, with the empty line in front; comments in front of the next table stay. */
const withoutTable = (all: readonly Statement[], path: readonly string[]): Statement[] => {
  const kept: Statement[] = [];
  for (const section of toSections(all)) {
    const isGone = section[0]?.header !== undefined && isBelow(path, section[0].header);
    if (isGone && kept.at(-1)?.text.trim() === '') kept.pop();
    kept.push(...(isGone ? section.slice(lengthOf(section)) : section));
  }
  return kept;
};

const withKey = (all: readonly Statement[], path: readonly string[], value: unknown): Statement[] => {
  const [key = '', table] = [path.at(-1), path.slice(0, -1)];
  const sections = toSections(all);
  const place = sections.findIndex(([first]) => first?.header?.length === table.length && isBelow(table, first.header));
  const section = sections[place];
  if (section === undefined) throw new Error(`there is no table [${table.join('.')}]`);
  const at = section.findIndex((one) => one.header === undefined && Object.hasOwn(one.value, key));
  const old = section[at];
  const eol = section[0]?.text.endsWith('\r\n') ? '\r\n' : '\n';
  const lines = value === undefined ? '' : withComment(lineOf(key, value), old && commentOf(old));
  const put: Statement = { text: lines.trimEnd().replaceAll('\n', eol) + (lines && eol), value: {} };
  return sections.with(place, section.toSpliced(at < 0 ? lengthOf(section) : at, at < 0 ? 0 : 1, put)).flat();
};

const withComment = (lines: string, comment = ''): string => (comment === '' ? lines : `${lines.trimEnd()} ${comment}`);

/** What follows the value of a statement in its last line. */
const commentOf = ({ text, value }: Statement): string => {
  const marks = [...text.matchAll(/#/g)].map(({ index }) => index);
  const at = marks.find((mark) => JSON.stringify(tryToRead(text.slice(0, mark))) === JSON.stringify(value));
  return at === undefined ? '' : text.slice(at).trimEnd();
};
