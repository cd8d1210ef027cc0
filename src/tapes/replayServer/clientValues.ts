/** Finds values that a client makes up anew in each run, such as ids and times, so that the played server uses those of this run. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';

/** A text of the recorded client, and the one in its place now. */
export type ClientValue = { recorded: string; now: string };

/** Shorter texts, and those without a digit, would be found in other words by chance. */
const isDistinct = (text: string): boolean => /^\S{8,}$/.test(text) && /\d/.test(text);

/** The values that differ between a recorded message and the one in its place, if they can be recognised elsewhere. */
export const differingValues = (recorded: TapeMessage | undefined, now: TapeMessage | undefined): ClientValue[] => {
  if (recorded === undefined || now === undefined || recorded.kind !== now.kind) return [];
  if ('method' in recorded && recorded.method === 'initialize') return [];
  return valuesIn(bodyOf(recorded), bodyOf(now));
};

const bodyOf = (message: TapeMessage): unknown => {
  if (message.kind === 'other') return undefined;
  return message.kind === 'response' ? message.body : message.params;
};

const valuesIn = (recorded: unknown, now: unknown): ClientValue[] => {
  if (typeof recorded === 'string') {
    const differs = typeof now === 'string' && now !== recorded && isDistinct(recorded);
    return differs ? [{ recorded, now }] : [];
  }
  if (Array.isArray(recorded)) {
    return Array.isArray(now) ? recorded.flatMap((one, i) => valuesIn(one, now[i])) : [];
  }
  if (!isObject(recorded) || !isObject(now)) return [];
  return Object.entries(recorded).flatMap(([name, one]) => valuesIn(one, now[name]));
};

/** The line of the server with the values of this run. */
export const withClientValues = (line: string, values: readonly ClientValue[]): string =>
  values.reduce((text, { recorded, now }) => text.replaceAll(escaped(recorded), () => escaped(now)), line);

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
