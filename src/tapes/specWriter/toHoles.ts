/** Finds the holes of a written spec: values that the server makes up and the client repeats. Other values that differ get a mask. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { Handles } from '../handles/handles';
import { replaceHandles, toHandleNames } from '../handles/replaceHandles';
import { isTokenName, toMask, uuidsOf } from '../matching/mask';
import { parseTexts } from '../matching/matchKey';
import { toNamedHole } from '../templates/fillHoles';
import type { SelectedLine } from './selectLines';

/** Puts holes into the messages of each side. */
export type Holes = { ofServer: (value: unknown) => unknown; ofClient: (value: unknown) => unknown };

const mask = toMask({ names: ['time', 'duration', 'path', 'pid', 'port', 'memory'], own: [] });

/**
 * Finds what the server of a session makes up: UUIDs, and what the client sends back.
 * @param handles of the session
 */
export const toHoles = (lines: readonly SelectedLine[], handles: Handles = new Map()): Holes => {
  const values = nameValues(lines);
  const withNames = byName(values);
  const withHandles = toHandleHoles(lines, new Map([...handles].filter(([key]) => !isNamedIn(values, key))));
  return {
    ofServer: (value) => {
      const named = withNames(withHandles(value));
      return withHoles(withoutTokens(named, ''), mask(withoutTokens(named, '')));
    },
    ofClient: (value) => withNames(withHandles(value)),
  };
};

/** A part of a token is no separate hole: the token is one value. */
const isNamedIn = (values: ReadonlyMap<string, string>, key: string): boolean => {
  const isPart = /^\d+$/.test(key)
    ? (text: string) => text.split(/\D+/).includes(key)
    : (text: string) => text.includes(key);
  return uuidsOf(key).length > 0 || values.has(key.replace(/^= /, '')) || [...values.keys()].some(isPart);
};

const toHandleHoles = (lines: readonly SelectedLine[], handles: Handles): ((value: unknown) => unknown) => {
  const labels = toHandleNames(
    handles,
    lines.map(({ line }) => line.value),
  );
  const names = new Map<number, string>();
  const used = new Set<string>();
  for (const { id } of handles.values()) {
    const name = freeName(labels.get(id) ?? 'handle', used);
    used.add(name);
    names.set(id, name);
  }
  return (value) =>
    replaceHandles(handles, value, ({ id }, isNumber) =>
      toNamedHole(isNumber ? 'number' : 'string', names.get(id) ?? ''),
    );
};

const NAMED_HOLE = /(<(?:string|number) \$\w+>)/;

/** The masked value; in texts with named holes only the text between the holes is masked. JSON in a text stays, as it is compared as JSON. */
const withHoles = (value: unknown, masked: unknown): unknown => {
  if (typeof value === 'string' && isObject(parseTexts(value)) && !/^<\w+>$/.test(String(masked))) return value;
  if (typeof value === 'string' && NAMED_HOLE.test(value))
    return value
      .split(NAMED_HOLE)
      .map((part, i) => (i % 2 === 1 ? part : mask(part)))
      .join('');
  if (Array.isArray(value) && Array.isArray(masked)) return value.map((one, i) => withHoles(one, masked[i]));
  if (!isObject(value) || !isObject(masked)) return masked;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withHoles(one, masked[name])]));
};

/** The hole of each value that the server made up, in the order of their first occurrence. */
const nameValues = (lines: readonly SelectedLine[]): ReadonlyMap<string, string> => {
  const repeated = lines.flatMap((line) => (line.side === 'client' ? [line.line.line] : [])).join('\n');
  const holes = new Map<string, string>();
  const ofClient = new Set<string>();
  const add = (kind: 'uuid' | 'token', text: string): void => {
    if (holes.has(text) || ofClient.has(text)) return;
    const number = [...holes.values()].filter((hole) => hole.startsWith(`<${kind} `)).length + 1;
    holes.set(text, `<${kind} ${number}>`);
  };
  for (const { side, line } of lines) {
    if (side === 'client') for (const uuid of uuidsOf(line.line)) if (!holes.has(uuid)) ofClient.add(uuid);
    if (side !== 'server') continue;
    for (const uuid of uuidsOf(line.line)) add('uuid', uuid);
    for (const token of tokensIn(line.value)) if (repeated.includes(JSON.stringify(token))) add('token', token);
  }
  return holes;
};

const tokensIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(tokensIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    isTokenName(name) && typeof one === 'string' && one !== '' ? [one] : tokensIn(one),
  );
};

const byName = (holes: ReadonlyMap<string, string>) => {
  const ofText = (text: string): string =>
    holes.get(text) ?? uuidsOf(text).reduce((rest, uuid) => rest.replaceAll(uuid, holes.get(uuid) ?? uuid), text);
  return mapTexts(ofText);
};

const mapTexts = (change: (text: string) => string) => {
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(of);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, of(one)]));
  };
  return of;
};

const withoutTokens = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutTokens(one, ''));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, withoutTokens(one, member)]));
  }
  const isHole = typeof value === 'string' && /^<(?:token \d+|(?:string|number) \$\w+)>$/.test(value);
  return name !== '' && isTokenName(name) && value !== null && !isHole ? '<token>' : value;
};

/** The label as an identifier of JavaScript, with a number if the name is used already. */
export const freeName = (label: string, used: ReadonlySet<string>): string => {
  const letters = label.replace(/\W+/g, '_').replace(/^[\d_]+|(?<!_)_+$/g, '');
  const name = letters === '' ? 'value' : letters;
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name}${number}`)) number++;
  return `${name}${number}`;
};
