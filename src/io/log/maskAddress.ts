/**
 * Hides credentials in addresses and in the arguments of a program. An address may carry a login, secret values of its query, and parts of its path
 * that no person would have chosen. Among arguments, the option before a plain word shows that it is a secret.
 */
import { withoutEscapes } from '../../streams/text/trim';
import { REDACTED } from './redactText';
import { isRandom, isSecretName, isSecretVariable } from './secretNames';

const ADDRESS = /^([a-z][\w+.-]*:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** Words that a person chose are short, or of one case and without digits: `mcp`, `v1`, `code-search`. */
const MIN_CHARS = 12;
const MAX_WORD_CHARS = 23;
const isChosen = (part: string): boolean =>
  part.length < MIN_CHARS ||
  (/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/.test(part) ? part.length <= MAX_WORD_CHARS : part === REDACTED);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const WORDS = /[-_.~]/;

/** True for a name with a word in it that no person would have chosen, and for a UUID; a date or a version is neither. */
export const looksGenerated = (name: string): boolean => UUID.test(name) || !name.split(WORDS).every(isChosen);

/** In an address, a name with more than two digits counts as part of a token too, unless it is short. */
const isPlain = (segment: string): boolean =>
  !looksGenerated(segment) && (segment.length < MIN_CHARS || segment.replace(/\D/g, '').length <= 2);

/** The values of a query. */
const VALUE = /=[^&]+/g;

const maskQuery = (query: string): string => query.replace(VALUE, `=${REDACTED}`);

/**
 * An address with its credentials masked; any other text unchanged.
 *   https://host/s/0a1b2c3d4e5f6a7b/mcp?key=x  →  https://host/s/[redacted]/mcp?key=[redacted]
 */
export const maskAddress = (text: string): string => {
  const [whole, scheme, login, host, path = '', query = '', fragment = ''] = ADDRESS.exec(text) ?? [];
  if (whole === undefined) return text;
  const origin = `${scheme}${login === undefined ? '' : `${REDACTED}@`}${host}`;
  const segments = path.split('/').map((segment) => (isPlain(segment) ? segment : REDACTED));
  const isBare = query !== '' && !query.includes('=');
  const anchor = fragment.includes('=') || isPlain(fragment.slice(1)) ? maskQuery(fragment) : `#${REDACTED}`;
  return origin + segments.join('/') + (isBare ? `?${REDACTED}` : maskQuery(query)) + anchor;
};

const IN_TEXT = /\b[a-z][\w+.-]{0,63}:\/\/[^\s"'<>]+/gi;

/** A text with the addresses in it masked. */
export const maskAddresses = (text: string): string => text.replace(IN_TEXT, maskAddress);

/** A shorter query value is not a token, and hiding it would hide ordinary words; a password may be short. */
const MIN_VALUE_CHARS = 8;

/** The credentials that an address may carry, so that they can be hidden if a server repeats them; none if the text is not an address. */
export const secretsInAddress = (text: string): string[] => {
  const [whole, , , , path = '', query = '', fragment = ''] = ADDRESS.exec(text) ?? [];
  if (whole === undefined) return [];
  const values = [query, fragment].flatMap((part) => (part.includes('=') ? (part.match(VALUE) ?? []) : [part]));
  const others = [
    ...path.split('/').filter((segment) => !isPlain(segment)),
    ...values.map((value) => value.slice(1)).filter((value) => value.length >= MIN_VALUE_CHARS),
  ];
  return [...secretsInLogin(text), ...others.flatMap((value) => [...new Set([value, withoutEscapes(value)])])];
};

/** The credentials of an address's login: the password, or the user if there is none, and both in the form of a request header. */
export const secretsInLogin = (text: string): string[] => {
  const [, , login = ''] = ADDRESS.exec(text) ?? [];
  if (login === '') return [];
  const [user = '', ...others] = login.split(':');
  const password = others.join(':');
  const basic = Buffer.from(`${withoutEscapes(user)}:${withoutEscapes(password)}`).toString('base64');
  return [...new Set([password || user, withoutEscapes(password || user), basic])];
};

/** Parts of options whose values are secret, besides the names of fields; `H` and `header` of curl and of MCP bridges hold credentials. */
const SECRET_PART = /(?:^|[-_.])(?:key|auth|pass|pwd|pat|pin|jwt|bearer|dsn|credentials?|headers?|H)$/;
const OPTION = /^--?([A-Za-z][\w.-]*)(=?)/;
const VARIABLE = /^([A-Za-z_]\w*)=/;
/** Docker and others set a variable of the program with these; each value counts as secret, as in a table `env`. */
const SETS_VARIABLE = /^(?:-e|--env)$/;

/** A user, up to the password, as curl takes them; not the numbers of a user and a group. */
const LOGIN = /^(?!\d+:\d+$)[^\s:/]{1,256}:(?=\S)/;

const isSecretOption = (name: string, value: string): boolean =>
  isSecretName(name, /^\d+$/.test(value) ? Number(value) : '') || SECRET_PART.test(name);

/** How many characters of an argument precede its secret, which is the rest; undefined if it has none. */
export const secretFrom = (arg: string, before = ''): number | undefined => {
  const [option = '', name = '', sign] = OPTION.exec(arg) ?? [];
  if (sign === '=') return isSecretOption(name, arg.slice(option.length)) ? option.length : undefined;
  if (option !== '') return undefined;
  const [, previous = '', joined] = OPTION.exec(before) ?? [];
  if (previous !== '' && joined === '' && isSecretOption(previous, arg)) return 0;
  if (/^(?:u|U|user|proxy-user)$/.test(previous)) return LOGIN.exec(arg)?.[0].length;
  const [assigned, variable = ''] = VARIABLE.exec(arg) ?? [];
  if (assigned === undefined) return undefined;
  return SETS_VARIABLE.test(before) || isSecretVariable(variable) ? assigned.length : undefined;
};

/** An address over HTTP, alone or as the value of an option. */
const ADDRESSED = /^(--?[A-Za-z][\w.-]*=)?((?:https?|wss?):\/\/.*)$/is;

const maskAddressed = (arg: string): string => {
  const [, option = '', address] = ADDRESSED.exec(arg) ?? [];
  return address === undefined ? arg : option + maskAddress(address);
};

/** How many characters precede what no person would have chosen. */
const randomFrom = (arg: string): number | undefined => {
  const from = /^--?[A-Za-z][\w.-]*=/.exec(arg)?.[0].length ?? 0;
  return isRandom(arg.slice(from)) ? from : undefined;
};

/** The arguments with each secret masked. What looks like a secret in itself is left to `redactText`. */
export const maskArguments = (args: readonly string[]): string[] =>
  args.map((arg, at) => {
    const from = secretFrom(arg, args[at - 1]) ?? randomFrom(arg);
    return from === undefined || from === arg.length ? maskAddressed(arg) : arg.slice(0, from) + REDACTED;
  });

/** The secrets themselves, to be hidden in what the program prints. */
export const secretArguments = (args: readonly string[]): string[] =>
  args.flatMap((arg, at) => {
    const from = secretFrom(arg, args[at - 1]) ?? randomFrom(arg);
    return from === undefined || from === arg.length
      ? secretsInAddress(ADDRESSED.exec(arg)?.[2] ?? '')
      : [arg.slice(from)];
  });
