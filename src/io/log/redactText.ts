/** Hides the secrets in a text: known values, values that look like a secret, and values with a secret's name. */
import { isCount } from './secretNames';
import { BEARER, FLAGGED, NAMED, PASSPHRASE, PREFIXED, TOKENS } from './secretShapes';

/** The replacement of a secret. */
export const REDACTED = '[redacted]';

/** A known value that is shorter would redact ordinary words. */
const MIN_SECRET_CHARS = 6;

/** Called with the kind of each secret that was hidden, and with the secret if only what precedes it shows that it is one. */
type OnHidden = (kind: string, secret?: string) => void;
type Hide = (text: string) => string;

export type RedactDeps = { secrets: readonly string[]; maxChars: number; onHidden?: OnHidden };

/** The secret part of a value, without its quotes and its scheme. A pattern for the end would be tried at each character of a long value. */
const coreOf = (value: string): string => {
  const core = value
    .replace(/^\\*["']?(?:(?:bearer|basic|digest)\s+)?/i, '')
    .trimEnd()
    .replace(/["']$/, '');
  let end = core.length;
  while (core[end - 1] === '\\') end -= 1;
  return core.slice(0, end);
};

/** Values that are not secret, whatever their name is; and objects, which may contain counts. */
const NO_VALUE = /^(?:null|true|false)$/;
const OBJECT = /^[{[]/;

/** Counts nested deeper than this are not recognized. */
const MAX_DEPTH = 8;

const hideNamed =
  (onHidden: OnHidden, depth = 0) =>
  (all: string, name: string, value: string): string => {
    if (isCount(name) && /^\d+$/.test(value)) return all;
    if (NO_VALUE.test(value) || REDACTED.startsWith(value)) return all;
    if (isCount(name) && OBJECT.test(value) && depth < MAX_DEPTH)
      return name + value.replace(NAMED, hideNamed(onHidden, depth + 1));
    if (!value.includes(REDACTED)) onHidden('named value', coreOf(value));
    const open = /^\\*["']/.exec(value)?.[0] ?? '';
    const close = open !== '' && !open.startsWith('\\') && value.endsWith(open) && value.length > 1 ? open : '';
    return name + open + REDACTED + close;
  };

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A secret as it is, and in the spellings of JSON and URLs. */
const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(Buffer.from(secret).toString()), // a lone surrogate would throw
];

const toPatterns = (secrets: readonly string[]): (readonly [string, RegExp])[] => {
  const known = [...new Set(secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS).flatMap(spellings))];
  const longestFirst = known.sort((a, b) => b.length - a.length).map(escaped);
  return longestFirst.length === 0 ? [] : [['known value', new RegExp(longestFirst.join('|'), 'g')]];
};

/** Characters that JSON writes unchanged, even in a string within JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Makes the quick check for given values: false only if a text contains none of them, in any spelling. Always true if JSON may spell one in more
 * ways than are known here.
 */
export const mayHoldValues = (secrets: readonly string[]): ((text: string) => boolean) => {
  if (secrets.some((secret) => !PLAIN.test(secret))) return () => true;
  const [known] = toPatterns(secrets);
  const pattern = known && new RegExp(known[1].source);
  return (text) => pattern?.test(text) ?? false;
};

const hideAll = (secrets: readonly string[], onHidden: OnHidden): Hide => {
  const whole = [...toPatterns(secrets), ...TOKENS];
  const replaced = (kind: string, replacement: string, secret?: string): string => {
    onHidden(kind, secret);
    return replacement;
  };
  const hideWhole: Hide = (text) =>
    whole.reduce((rest, [kind, pattern]) => rest.replace(pattern, () => replaced(kind, REDACTED)), text);
  const hidePrefixed: Hide = (text) =>
    PREFIXED.reduce(
      (rest, [kind, pattern, suffix]) =>
        rest.replace(pattern, (_, kept: string) => replaced(kind, kept + REDACTED + suffix)),
      text,
    );
  return (text) =>
    hidePrefixed(hideWhole(text))
      .replace(PASSPHRASE, hideNamed(onHidden))
      .replace(NAMED, hideNamed(onHidden))
      .replace(FLAGGED, hideNamed(onHidden))
      .replace(BEARER, (all: string, kept: string) => replaced('bearer', kept + REDACTED, all.slice(kept.length)));
};

/**
 * Makes the function that hides secrets in a text: the given values, then known forms, then values with secret names.
 * @param secrets values to hide wherever they occur; those shorter than 6 characters are ignored
 * @param maxChars longer texts are cut; the cut never leaves half of a secret
 */
export const redactText = ({ secrets, maxChars, onHidden = () => {} }: RedactDeps): Hide => {
  const hide = hideAll(secrets, onHidden);
  const margin = Math.max(1024, ...secrets.map((secret) => 3 * secret.length));
  return (text) => {
    if (text.length <= maxChars) return hide(text);
    // A secret may straddle the cut: read beyond it, then drop what lies beyond.
    const seen = hide(text.slice(0, maxChars + margin));
    const kept = seen.slice(0, Math.max(0, Math.min(maxChars, seen.length - margin)));
    return `${kept}… (${text.length} characters)`;
  };
};
