/**
 * What secrets look like in text. Every pattern is linear in the length of the text, so that a hostile line cannot cost seconds. Own code: packages with
 * such patterns are made to scan the files of a repository, and do not promise that.
 */
import { SECRET_NAME } from './secretNames';
import { VENDOR_TOKENS } from './vendorTokens';

/** Tokens that are recognized by their own form. The whole match is secret. */
export const TOKENS: readonly (readonly [kind: string, pattern: RegExp])[] = [
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
  ['PyPI token', /\bpypi-[\w-]{20,}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{20,}/g],
  ['API key', /\b(?:gsk|xai)[_-][A-Za-z0-9]{20,}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g],
  ['Google key', /\bAIza[\w-]{30,}/g],
  [
    'AWS key',
    /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?:["'\s,:;|]{1,8}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?(?![0-9A-Z])/g,
  ],
  // An AWS secret alone: forty characters of base64, as mixed as random ones are.
  [
    'AWS secret',
    /(?<![\w/+=.-])(?=(?:[^\d\s]{0,39}\d){2})(?=(?:[^A-Z\s]{0,39}[A-Z]){6})(?=(?:[^a-z\s]{0,39}[a-z]){6})[A-Za-z0-9/+]{40}(?![\w/+=.-])/g,
  ],
  ...VENDOR_TOKENS,
];

/** Secrets that are recognized by what precedes them: the first group, which is kept. */
export const PREFIXED: readonly (readonly [kind: string, pattern: RegExp, suffix: string])[] = [
  // A signed URL needs no other credential.
  ['signature in a URL', /([?&](?:sig|signature|x-(?:amz|goog)-signature)=)[^&\s"'\\]+/gi, ''],
  ['key in a URL', /([?&]key=)[^&\s"'\\]{6,}/gi, ''],
  // An AWS secret has no form of its own: forty characters, identified by the word before them.
  ['AWS secret', /(\baws[\w.\s"':=-]{0,40}?["'\s:=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi, ''],
  ['docker login', /("auth\\*"\s*:\s*\\*")[A-Za-z0-9+/=]{8,}/g, ''],
  [
    'password of curl',
    /(\bcurl\b[^\n|;&]{0,512}?\s(?:-u|--user)[ =]?\\*["']?)(?!https?:)[^\s:"'\\]{1,256}:[^\s"'\\]+/g,
    '',
  ],
  ['netrc', /(\bmachine\s+\S{1,256}\s+login\s+\S{1,256}\s+password\s+)\S+/g, ''],
  ['pgpass', /(^[\w.*-]{1,253}:(?:\d{1,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:)[^:\s]+$/gm, ''],
  ['password of mysql', /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,512}?\s-p)[^\s"'\\]+/g, ''],
  ['password of sshpass', /(\bsshpass\s+-p\s?)[^\s"'\\]+/g, ''],
  ['password in a URL', /(:\/\/)(?:[^\s/:@]{0,256}:[^\s/@]{1,1024}|[\w-]{20,256})@/g, '@'],
];

/** The word after `Bearer`. The first group is kept. */
export const BEARER = /\b(bearer\s+)[\w.~+/=-]{8,}/gi;

/** `name: value`, `name=value`, `"name":"value"` and the same inside an escaped string, as name and value. */
export const NAMED = new RegExp(
  `((?:${SECRET_NAME})[\\w-]{0,32}\\\\*["']?\\s*[:=]=?>?\\s*)` +
    `((?:(?:bearer|basic|digest)\\s+)?(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|\\\\+"[^"\\\\]*|[^\\s,;&"'\\\\}\\]]+))`,
  'gi',
);

/** A passphrase without quotes is several words, up to the end of the line. */
export const PASSPHRASE =
  /((?:pass|seed|recovery|backup)[-_ ]?phrase[\w-]{0,32}\s{0,8}[:=]\s{0,8})(?=[^\s"'\\])([^"'\\\r\n}\]]{1,256})/gi;

/** `--name value`, and the same as two members of a list in JSON, as name and value. */
export const FLAGGED = new RegExp(
  `(?<![\\w-])(--[\\w-]{0,32}(?:${SECRET_NAME})[\\w-]{0,32}(?:[ \\t]+|\\\\*["'],\\s*\\\\*["']))` +
    `("(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s"'\\\\,-][^\\s"'\\\\]*)`,
  'gi',
);
