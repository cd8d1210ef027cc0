/**
 * Owns what a secret looks like inside text. Which fields hold secrets by their name is toPlain's.
 * Every pattern is linear in the length of the text: a hostile line must not cost seconds.
 */

export const REDACTED = '[redacted]';

/** A value this short would redact ordinary words. */
const MIN_SECRET_CHARS = 6;

/** Names whose values are secret, wherever they stand inside a longer name. */
const NAME =
  'authorization|api[-_ ]?key|access[-_]?key|private[-_]?key|token|secret|passw(?:or)?d|passphrase|credential|cookie';

const SECRET_NAME = new RegExp(NAME, 'i');

/** Names that count tokens of a model: their numbers are no secrets. */
const COUNT_NAME = /tokens|usage|count|limit|window/i;

type Shape = readonly [kind: string, pattern: RegExp];

const SHAPES: readonly Shape[] = [
  [
    'private key',
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['JWT', /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g],
  ['API key', /\bsk-[\w-]{8,}/g],
  ['GitHub token', /\bgh[oprsu]_[A-Za-z0-9]{10,}/g],
  ['GitHub token', /\bgithub_pat_\w{10,}/g],
  ['GitLab token', /\bglpat-[\w-]{10,}/g],
  ['Slack token', /\bx(?:ox[abeoprs]|app)-[\w-]{8,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['Google key', /\bAIza[\w-]{30,}/g],
  ['AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
];

const BEARER = /\b(bearer\s+)[\w.~+/=-]{8,}/gi;
const URL_PASSWORD = /(:\/\/)[^\s/:@]{0,256}:[^\s/@]{1,1024}@/g;

/** `name: value`, `name=value`, `"name":"value"` and the same inside an escaped string. */
const NAMED = new RegExp(
  `((?:${NAME})[\\w-]{0,32}\\\\*["']?\\s*[:=]=?>?\\s*)` +
    `((?:(?:bearer|basic|digest)\\s+)?(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|\\\\+"[^"\\\\]*|[^\\s,;&"'\\\\}\\]]+))`,
  'gi',
);

/** `--name value`, and the same as two members of a list in JSON. */
const FLAGGED = new RegExp(
  `(?<![\\w-])(--[\\w-]{0,32}(?:${NAME})[\\w-]{0,32}(?:[ \\t]+|\\\\*["'],\\s*\\\\*["']))` +
    `("(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s"'\\\\,-][^\\s"'\\\\]*)`,
  'gi',
);

/** True when a field of this name holds a secret; `input_tokens: 7` does not. */
export const isSecretName = (name: string, value: unknown): boolean =>
  SECRET_NAME.test(name) && !(typeof value === 'number' && COUNT_NAME.test(name));

const hideNamed =
  (tell: Tell) =>
  (all: string, name: string, value: string): string => {
    if (/^\d+$/.test(value) && COUNT_NAME.test(name)) return all;
    if (!value.includes(REDACTED)) tell('named value');
    const open = /^\\*["']/.exec(value)?.[0] ?? '';
    const close = open !== '' && !open.startsWith('\\') && value.endsWith(open) && value.length > 1 ? open : '';
    return name + open + REDACTED + close;
  };

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A secret as it is, and as JSON and URLs write it. */
const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(Buffer.from(secret).toString()), // a lone surrogate would throw
];

const ofValues = (secrets: readonly string[]): Shape[] => {
  const known = [...new Set(secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS).flatMap(spellings))];
  const longestFirst = known.sort((a, b) => b.length - a.length).map(escaped);
  return longestFirst.length === 0 ? [] : [['known value', new RegExp(longestFirst.join('|'), 'g')]];
};

/** Hears what kind of secret was hidden, once for each. */
type Tell = (kind: string) => void;

/** `tell` hears of each secret by its kind, never the secret itself. */
export type RedactDeps = { secrets: readonly string[]; maxChars: number; tell?: Tell };

/**
 * Makes the function that hides secrets in a text: the given values, then known shapes, then values of telling names.
 * @param secrets values to hide wherever they stand; those shorter than 6 characters are ignored
 * @param maxChars longer texts are cut; the cut never leaves half of a secret
 */
export const redactText = ({ secrets, maxChars, tell = () => {} }: RedactDeps) => {
  const shapes = [...ofValues(secrets), ...SHAPES];
  const margin = Math.max(1024, ...secrets.map((secret) => 3 * secret.length));
  const told = (kind: string, hidden: string): string => {
    tell(kind);
    return hidden;
  };
  const hide = (text: string) =>
    shapes
      .reduce((rest, [kind, shape]) => rest.replace(shape, () => told(kind, REDACTED)), text)
      .replace(URL_PASSWORD, (_, start: string) => told('password in a URL', `${start}${REDACTED}@`))
      .replace(NAMED, hideNamed(tell))
      .replace(FLAGGED, hideNamed(tell))
      .replace(BEARER, (_, start: string) => told('bearer', `${start}${REDACTED}`));
  return (text: string): string => {
    if (text.length <= maxChars) return hide(text);
    // A secret may straddle the cut: look past it, then throw away what lies past it.
    const seen = hide(text.slice(0, maxChars + margin));
    const kept = seen.slice(0, Math.max(0, Math.min(maxChars, seen.length - margin)));
    return `${kept}… (${text.length} characters)`;
  };
};
