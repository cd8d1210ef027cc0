/** Hides what a client makes up anew in each run, such as ids and times, so that two messages are compared without it. */
import type { Handles } from '../handles/handles';
import { mapMessage } from '../handles/handleTexts';
import { toMask } from '../matching/mask';

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
 * A message without UUIDs, ULIDs, times, and random words in members for ids. What the server issued stays: another one means another thing.
 * @param handles those of the recorded session
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
