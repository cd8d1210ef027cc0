/**
 * Finds the holes of a written spec: a value that the server makes up and the client repeats gets a numbered hole, other
 * values that differ from run to run get a mask.
 */
import { isObject } from '../protocol/jsonrpc';
import { isTokenName, toMask, uuidsOf } from '../session';
import type { SelectedLine } from './selectLines';

/** Puts holes into the messages of each side. */
export type Holes = { ofServer: (value: unknown) => unknown; ofClient: (value: unknown) => unknown };

const mask = toMask({ names: ['time', 'duration', 'path'], own: [] });

/** Finds what the server of a session makes up: UUIDs, and tokens that the client sends back. */
export const toHoles = (lines: readonly SelectedLine[]): Holes => {
  const withNames = byName(nameValues(lines));
  return { ofServer: (value) => mask(withoutTokens(withNames(value), '')), ofClient: withNames };
};

/** The hole of each value that the server made up, in the order in which they first came. */
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

/** Puts holes for whole texts, and for UUIDs anywhere in a text. */
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
  const isHole = typeof value === 'string' && /^<token \d+>$/.test(value);
  return name !== '' && isTokenName(name) && value !== null && !isHole ? '<token>' : value;
};
