/** Owns what is said about a session above its picture. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import { parseLine } from '../session';
import type { Chart } from './chart';

/** What is known of a session, in words. */
export const factsOf = ({ entries, marbles, spans }: Chart, meta: JsonObject): [string, string][] => {
  const opening = entries.slice(0, 20).flatMap(({ entry }) => parseLine(entry.line).value);
  const params = opening.map((value) => memberOf(value, 'params')).find((one) => isObject(one) && 'clientInfo' in one);
  const result = opening.map((value) => memberOf(value, 'result')).find((one) => isObject(one) && 'serverInfo' in one);
  const facts: [string, string | undefined][] = [
    ['client', partyOf(memberOf(params, 'clientInfo'))],
    ['server', partyOf(memberOf(result, 'serverInfo')) ?? textOf(meta.server)],
    ['protocol', textOf(memberOf(result, 'protocolVersion'))],
    ['started', textOf(meta.started)],
    ['lasted', durationOf(marbles.at(-1)?.untilMs ?? 0)],
    ['lines', String(entries.length)],
    ['calls', String(spans.length)],
    ['failed', String(spans.filter(({ outcome }) => outcome === 'failed').length)],
    ['redacted', meta.redacted === undefined ? undefined : 'secrets were taken out'],
  ];
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [[label, text] as [string, string]]));
};

const memberOf = (value: unknown, member: string): unknown => (isObject(value) ? value[member] : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const partyOf = (info: unknown): string | undefined => {
  const name = textOf(memberOf(info, 'name'));
  const version = textOf(memberOf(info, 'version'));
  return name && [name, version].filter((part) => part !== undefined).join(' ');
};

/** A time for people: `12 ms`, `3.4 s`, `2 min 5 s`. */
export const durationOf = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
};
