/** Values that a client makes up in each run, such as ids and times: found, written into lines of the server, and hidden from comparisons. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { Handles } from '../handles/handles';
import { mapMessage } from '../handles/handleTexts';
import { toMask } from '../matching/mask';

/** A text of the recorded client, and the text in its place now. */
export type ClientValue = { recorded: string; now: string };

/** Shorter texts, and texts without a digit, would be found in other words by chance. */
const isDistinct = (text: string): boolean => /^\S{8,}$/.test(text) && /\d/.test(text);

/** The values that differ between a recorded message and the message in its place, if they can be recognised elsewhere. */
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

const withoutTimes = toMask({ names: ['time'], own: [] });
const withoutUuids = toMask({ names: ['uuid'], own: [] });

const WORD = /([\w-]+)/;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Random words change between letters, digits and cases more often than names do. */
const CHANGE = /(?<=[a-z])[A-Z\d]|(?<=[A-Z])\d|(?<=\d)[A-Za-z]/g;
const MIN_CHARS = 8;
const MIN_CHANGES = 4;

const isRandom = (word: string): boolean =>
  word.length >= MIN_CHARS && (word.match(CHANGE)?.length ?? 0) >= MIN_CHANGES;

/**
 * A message without UUIDs, ULIDs, times, and random words in members for ids. What the server issued stays: its values have a meaning.
 * @param handles of the recorded session
 */
export const hideMadeUp = (handles: Handles, message: unknown): unknown =>
  mapMessage(withoutTimes(message), ({ text, isNumber, isNamed }) => {
    if (isNumber || handles.has(text)) return undefined;
    const hide = (word: string): string => {
      if (handles.has(word)) return word;
      const hidden = String(withoutUuids(word));
      return hidden === word && (ULID.test(word) || (isNamed && isRandom(word))) ? '<id>' : hidden;
    };
    return text
      .split(WORD)
      .map((part, i) => (i % 2 === 1 ? hide(part) : part))
      .join('');
  });
