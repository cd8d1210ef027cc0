/** Takes the secrets out of a JSON value, by names and texts of all its members: the one walk for tapes, logs, settings and errors. */
import { isObject, isTooDeep, type JsonObject, MAX_LEVELS, mayBeTooDeep, textOf } from '../../protocol/jsonrpc/json';
import type { Pausing } from '../../streams/pausing';
import { secretFrom } from './maskAddress';
import { REDACTED } from './redactText';
import { isCount, isRandom, isSecretName } from './secretNames';

/** What the walk does with what it finds. */
export type Walk = {
  /** A text without secrets. @param isId the text is a whole value that finds a thing */
  text: (text: string, isId: boolean) => Pausing<string>;
  /** Gets each value that is removed because of a name. */
  removed: (value: string | number) => void;
};

/** What a value is in. */
type Within = {
  /** Of the member; '' for none. */
  name: string;
  /** A member around it is secret. */
  isSecret: boolean;
  /** A member around it has counts, whose numbers are not secret. */
  isCounted?: boolean;
  /** A member around it has the headers of a request. */
  isOfHeaders?: boolean;
};

/** The value without secrets. */
export function* redactValue(walk: Walk, value: unknown, within: Within = OUTSIDE): Pausing<unknown> {
  if (typeof value === 'string' || typeof value === 'number') return yield* redactLeaf(walk, value, within);
  if (Array.isArray(value)) return yield* redactList(walk, value, within);
  return isObject(value) ? yield* redactMembers(walk, value, within) : value;
}

const OUTSIDE: Within = { name: '', isSecret: false };

/** The value of a JSON text, with a mark for what is nested deeper than a walk can go: what nobody has searched is not shown. */
export const withoutDepths = (text: string, value: unknown): unknown =>
  mayBeTooDeep(text) && isTooDeep(value) ? upTo(MAX_LEVELS, value) : value;

const upTo = (levels: number, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return REDACTED;
  if (Array.isArray(value)) return value.map((one) => upTo(levels - 1, one));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, upTo(levels - 1, one)]));
};

/** The object without secrets, in its values and in its names. */
export const redactObject = (walk: Walk, object: JsonObject): Pausing<JsonObject> =>
  redactMembers(walk, object, OUTSIDE);

function* redactLeaf(walk: Walk, value: string | number, within: Within): Pausing<unknown> {
  const { name, isCounted = false } = within;
  const isSecret = within.isSecret || (within.isOfHeaders === true && isCredential(name, value));
  const isKept = value === '' || value === REDACTED || (typeof value === 'number' && (isCounted || isCount(name)));
  if (!isKept && (isSecret || isSecretName(name, value))) {
    walk.removed(value);
    return REDACTED;
  }
  return typeof value === 'string' ? yield* walk.text(value, ID.test(name)) : value;
}

/** Whether the value of a header is generated, and the name is none of a version, a checksum or a trace. */
const isCredential = (name: string, value: unknown): boolean =>
  typeof value === 'string' && isRandom(value) && !ID.test(name) && !NO_CREDENTIAL.test(name);

const HEADERS = /(?:^|[-_.]|[a-z])headers?$/i;
const NO_CREDENTIAL =
  /(?:^|[-_])(?:ids?|e?tag|match|range|ray|trace\w*|b3|digest|md5|sha\d*|hash|checksum|version|revision|commit|build|agent|date|since|modified|length|type|host|origin|referer|location|via|for)$/i;

/** Names of members whose values find a thing: they are generated, and no secret. */
const ID = /(?:^|[_.-])(?:uu)?ids?$|[a-z]I[Dd]s?$/;

/** Arguments of a program, or a list of names and values as of headers. */
function* redactList(walk: Walk, list: readonly unknown[], within: Within): Pausing<unknown[]> {
  const redacted: unknown[] = [];
  for (const [i, value] of list.entries())
    redacted.push(yield* redactPart(walk, { value, before: list[i - 1] }, within));
  return redacted;
}

function* redactPart(
  walk: Walk,
  { value, before }: { value: unknown; before: unknown },
  within: Within,
): Pausing<unknown> {
  if (typeof value !== 'string' || within.isSecret) return yield* redactValue(walk, value, within);
  if (isHeader(before) && !WORDS.test(value)) return yield* redactValue(walk, value, { name: before, isSecret: true });
  if (within.isOfHeaders && typeof before === 'string')
    return yield* redactValue(walk, value, { ...within, name: before });
  const from = secretFrom(value, typeof before === 'string' ? before : '');
  if (from === undefined || from === value.length) return yield* redactValue(walk, value, within);
  return value.slice(0, from) + (yield* redactValue(walk, value.slice(from), { name: '', isSecret: true }));
}

const isHeader = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_HEADER_CHARS &&
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:key|token|secret|auth)[\w-]*)$/i.test(value);

const MAX_HEADER_CHARS = 128;

/** A name among names. */
const WORDS = /^[a-z]+(?:-[a-z]+)*$/i;

function* redactMembers(walk: Walk, object: JsonObject, within: Within): Pausing<JsonObject> {
  const isSchema = within.isSecret && SCHEMA.test(textOf(object.type ?? ('$ref' in object ? 'object' : '')));
  const members: [string, unknown][] = [];
  for (const [own, value] of Object.entries(object)) {
    const name = nameOf(object, own, within);
    const isOfHeaders = within.isOfHeaders || HEADERS.test(own);
    const isSecret =
      (within.isSecret && (!isSchema || VALUES.test(own))) || (typeof value === 'object' && isSecretName(name, ''));
    const inner = { name, isSecret, isCounted: within.isCounted || isCount(name), isOfHeaders };
    members.push([yield* walk.text(own, false), yield* redactValue(walk, value, inner)]);
  }
  return Object.fromEntries(members);
}

/** The types of JSON Schema: a schema of a secret is none, but for the values in it. */
const SCHEMA = /^(?:string|number|integer|boolean|object|array|null)$/;
const VALUES = /^(?:value|default|const|enum|examples?)$/;

/** A name as headers and variables have it. */
const PLAIN_NAME = /^[\w.-]+$/;
const NAMES = ['name', 'key', 'header', 'field', 'variable', 'parameter', 'label', 'k'];

/** The name of a member's value: its own name, or for `value` the text of `name` or `key` next to it, as in lists of headers and variables. */
const nameOf = (object: JsonObject, own: string, { isOfHeaders = false }: Within): string => {
  if (!/^(?:v|val|values?|content|data)$/.test(own)) return own;
  const names = NAMES.map((name) => object[name]).filter((name) => typeof name === 'string' && PLAIN_NAME.test(name));
  return (
    (names.find((name) => isOfHeaders || isSecretName(name as string, object[own]) || isHeader(name)) as
      | string
      | undefined) ?? own
  );
};
