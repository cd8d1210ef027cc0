/** Removes from a text what identifies a person. `mayHoldSecret` in the room log looks for the same patterns. */
import { REDACTED } from '../../io/log/redactText';

/** Patterns of personal data, not of keys. The first group is kept. */
const PERSONAL: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'home path',
    /((?:\/home|\/Users)\/|\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))(?!\[redacted\])[^\s/\\"'`:;,<>|)\]}]+/g,
  ],
  ['e-mail', /()(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}\b/g],
];

/** The text without names of home folders and e-mail addresses. @param onRemoved gets the kind of each thing removed */
export const hidePersonal = (text: string, onRemoved: (kind: string) => void): string =>
  PERSONAL.reduce(
    (before, [kind, pattern]) =>
      before.replace(pattern, (_, kept: string) => {
        onRemoved(kind);
        return `${kept}${REDACTED}`;
      }),
    text,
  );
