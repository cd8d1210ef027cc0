/** JSON with comments and TOML, changed in place, in own code: `modify` of `jsonc-parser` moves comments, and TOML libraries write the whole file again. */
import { createScanner, findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { parse, stringify } from 'smol-toml';
import { isObject, isTooDeep, type JsonObject, toObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import { reasonOf } from '../../streams/text/reasons';
import { statementsOf } from '../faults/tomlFaults';

/** A way to write down the entries of servers. Each member throws if the text is not of this format. */
export type Format = {
  /** The value of a text; an empty text has no entries. */
  read: (text: string) => JsonObject;
  /** The text with a value at a path, all else as it was; undefined removes what is there. */
  set: (text: string, path: readonly string[], value: unknown) => string;
};

/** The tokens of `jsonc-parser`, whose type is a const enum. */
const COMMA = 5;
const TRIVIA: readonly number[] = [12, 13, 14, 15];

const BOM = /^\ufeff/;
const SAME_LINE_COMMENT = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*(?:\r?\n|$)))/;

/** What is cut out, and what is put there. */
type Edit = { from: number; to: number; text: string };

const treeOf = (text: string): Node => {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || tree?.type !== 'object') {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length;
    throw new Error(`line ${line} is not JSON`);
  }
  return tree;
};

const read = (given: string): JsonObject => {
  const text = given.replace(BOM, '');
  if (text.trim() === '') return {};
  const value: unknown = getNodeValue(treeOf(text));
  if (!isObject(value) || isTooDeep(value)) throw new Error('it is not an object');
  return value;
};

const set: Format['set'] = (given, path, value) => {
  const bom = BOM.exec(given)?.[0] ?? '';
  const rest = given.slice(bom.length);
  const text = rest.trim() === '' ? '{}\n' : rest;
  const edits = value === undefined ? toRemoval(text, path) : toAddition(text, path, value);
  const ordered = [...edits].sort((one, other) => other.from - one.from);
  return bom + ordered.reduce((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), text);
};

/** JSON with comments, as editors and agents keep their settings. */
export const jsonFormat: Format = { read, set };

/** The first token after an offset that is neither white space nor a comment, if it is a comma. */
const commaAfter = (text: string, offset: number): Edit | undefined => {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  let token: number = scanner.scan();
  while (TRIVIA.includes(token)) token = scanner.scan();
  const from = scanner.getTokenOffset();
  return token === COMMA ? { from, to: from + 1, text: '' } : undefined;
};

const endOf = ({ offset, length }: Node): number => offset + length;

/** How the file breaks and indents its lines. */
const styleOf = (text: string) => {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const begin = (depth: number): string => eol + unit.repeat(depth);
  const lines = (value: unknown, depth: number): string => {
    if (Array.isArray(value)) return `[${value.map((one) => lines(one, depth)).join(', ')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${lines(one, depth + 1)}`);
    return members.length === 0 ? '{}' : `{${members.map((one) => begin(depth + 1) + one).join(',')}${begin(depth)}}`;
  };
  return { begin, lines };
};

const toAddition = (text: string, path: readonly string[], value: unknown): Edit[] => {
  const tree = treeOf(text);
  const found = findNodeAtLocation(tree, [...path]);
  const { lines } = styleOf(text);
  if (found !== undefined) return [{ from: found.offset, to: endOf(found), text: lines(value, path.length) }];
  const depth = path.findIndex((_, at) => findNodeAtLocation(tree, path.slice(0, at + 1)) === undefined);
  const object = findNodeAtLocation(tree, path.slice(0, depth)) ?? tree;
  if (object.type !== 'object') throw new Error(`${path.slice(0, depth).join('.')} is not an object`);
  const inner = path.slice(depth + 1).reduceRight<unknown>((all, name) => ({ [name]: all }), value);
  return toMember(text, object, { depth: depth + 1, name: path[depth] ?? '', value: inner });
};

/** A member after the last one, and after the comment that follows it in its line. */
const toMember = (text: string, object: Node, member: { depth: number; name: string; value: unknown }): Edit[] => {
  const { begin, lines } = styleOf(text);
  const { depth, name, value } = member;
  const line = `${begin(depth)}${JSON.stringify(name)}: ${lines(value, depth)}`;
  const last = object.children?.at(-1);
  const close = endOf(object) - 1;
  const comma = last && commaAfter(text, endOf(last));
  const end = comma?.to ?? (last ? endOf(last) : object.offset + 1);
  const rest = text.slice(end, close);
  const at = end + (last === undefined ? rest.trimEnd() : (SAME_LINE_COMMENT.exec(rest)?.[0] ?? '')).length;
  const isOpen = text.slice(at, close).includes('\n');
  const missing = last && !comma ? ',' : '';
  const put = `${line}${comma ? ',' : ''}${isOpen ? '' : begin(depth - 1)}`;
  return at === end
    ? [{ from: at, to: at, text: missing + put }]
    : [
        { from: end, to: end, text: missing },
        { from: at, to: at, text: put },
      ];
};

const toRemoval = (text: string, path: readonly string[]): Edit[] => {
  const member = findNodeAtLocation(treeOf(text), [...path])?.parent;
  if (member === undefined) return [];
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const comma = commaAfter(text, endOf(member));
  const other = comma ?? (before && commaAfter(text, endOf(before)));
  const cut: Edit = { from: member.offset, to: comma?.from === endOf(member) ? comma.to : endOf(member), text: '' };
  return [wholeLines(text, cut), ...(other && other.to !== cut.to ? [other] : [])];
};

/** Takes the lines as a whole if nothing else is in them. */
const wholeLines = (text: string, { from, to, text: put }: Edit): Edit => {
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const end = /^[ \t]*\r?\n/.exec(text.slice(to));
  return begin > 0 && end !== null && text.slice(begin, from).trim() === ''
    ? { from: begin, to: to + end[0].length, text: put }
    : { from, to, text: put };
};

/** A header or a key with its value, a comment, or an empty line; the texts of all together are the file. */
type Statement = {
  text: string;
  /** The value as a file of its own. */
  value: JsonObject;
  /** The table that a header names. */
  header?: string[];
};

const readToml = (text: string): JsonObject => {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(reasonOf(error).split('\n')[0]);
  }
};

const toStatements = (text: string): Statement[] =>
  statementsOf(text).map((one) => {
    const value = readToml(one.text);
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
const setInToml: Format['set'] = (text, path, value) => {
  readToml(text);
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
export const tomlFormat: Format = { read: readToml, set: setInToml };

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
