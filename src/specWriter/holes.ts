/** Owns the holes of a written spec: what the server makes up gets a number when the client says it again, a mask when not. */
import { isObject } from '../protocol/jsonrpc';
import { isTokenName, toMask, uuidsOf } from '../session';
import type { Line } from './choose';

/** What stands for the values of each side. */
export type Holes = { ofServer: (value: unknown) => unknown; ofClient: (value: unknown) => unknown };

const mask = toMask({ names: ['time', 'duration', 'path'], own: [] });

/** Looks through a session for what its server makes up: UUIDs, and tokens that the client gives back. */
export const toHoles = (lines: readonly Line[]): Holes => {
  const made = new Map<string, string>();
  const own = new Set<string>();
  const said = lines.flatMap((line) => (line.side === 'client' ? [line.heard.line] : [])).join('\n');
  const number = { uuid: 0, token: 0 };
  const name = (kind: 'uuid' | 'token', text: string): void => {
    if (made.has(text) || own.has(text)) return;
    number[kind] += 1;
    made.set(text, `<${kind} ${number[kind]}>`);
  };
  for (const line of lines) {
    if (line.side === 'client') for (const uuid of uuidsOf(line.heard.line)) if (!made.has(uuid)) own.add(uuid);
    if (line.side !== 'server') continue;
    for (const uuid of uuidsOf(line.told.line)) name('uuid', uuid);
    for (const token of tokensIn(line.told.value)) if (said.includes(JSON.stringify(token))) name('token', token);
  }
  const named = withNames(made);
  return { ofServer: (value) => mask(withoutTokens(named(value), '')), ofClient: named };
};

const tokensIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(tokensIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    isTokenName(name) && typeof one === 'string' && one !== '' ? [one] : tokensIn(one),
  );
};

/** Texts in a value under their names: whole ones, and UUIDs anywhere. */
const withNames = (made: ReadonlyMap<string, string>) => {
  const ofText = (text: string): string =>
    made.get(text) ?? uuidsOf(text).reduce((rest, uuid) => rest.replaceAll(uuid, made.get(uuid) ?? uuid), text);
  return deeply((value) => (typeof value === 'string' ? ofText(value) : value));
};

const deeply = (change: (value: unknown) => unknown) => {
  const of = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(of);
    if (!isObject(value)) return change(value);
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
