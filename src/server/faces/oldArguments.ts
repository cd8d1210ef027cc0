/** The texts of old releases for calls that could not begin, as for arguments that do not fit; their clients match on them. */
import type { OldRelease, SettingType } from '../../protocol/codex/settingRow';
import { fromRows } from '../../protocol/codex/settings';
import { isObject, type JsonObject, ownOf } from '../../protocol/jsonrpc/json';

type Shape = {
  /** The types of the arguments, in the order of the release; only the prompt must be given. */
  fields: Record<string, SettingType>;
  /** Whether an unknown argument is an error. */
  isClosed: boolean;
};

type OldTools = {
  /** The tool `codex`. */
  codex: Shape;
  /** The tool `codex-reply`. */
  reply: Shape;
  /** The name of the thread in the text for a `codex-reply` without arguments. */
  missing: string;
  /** The words for a number in the place of something else. */
  toNumber: (value: number) => string;
};

/** The arguments of `codex` in a release: as in the table of settings, after the prompt. */
const fieldsOf = (release: OldRelease): Record<string, SettingType> => ({
  prompt: 'text',
  ...fromRows<Record<string, SettingType>>(({ argument, type }) =>
    argument?.releases.includes(release) ? [argument.name, type] : null,
  ),
});

/** Source: Codex 0.28.0, WIRE 4.1 and 5. */
export const TOOLS_028: OldTools = {
  codex: { fields: fieldsOf('0.28'), isClosed: false },
  reply: { fields: { sessionId: 'text', prompt: 'text' }, isClosed: false },
  missing: 'session_id',
  toNumber: (value) => `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``,
};

/** Source: Codex 0.142.0, tapes v142-codex-bad-args and v142-reply-errors. */
export const TOOLS_0153: OldTools = {
  codex: { fields: fieldsOf('0.153'), isClosed: true },
  reply: { fields: { conversationId: 'text', threadId: 'text', prompt: 'text' }, isClosed: false },
  missing: 'thread_id',
  toNumber: () => 'number',
};

const PREFIX = 'Failed to parse configuration for Codex tool: ';

/** The text for arguments that do not fit; `text` is our own, for what the release had no words for. */
export const oldArgumentText = (
  tools: OldTools,
  tool: string,
  { args, text }: { args: unknown; text: string },
): string => {
  const isReply = tool === 'codex-reply';
  if (args === undefined || args === null)
    return isReply
      ? `Missing arguments for codex-reply tool-call; the \`${tools.missing}\` and \`prompt\` fields are required.`
      : 'Missing arguments for codex tool-call; the `prompt` field is required.';
  const struct = isReply ? 'CodexToolCallReplyParam' : 'CodexToolCallParam';
  const reason = isObject(args)
    ? reasonOf(tools, isReply ? tools.reply : tools.codex, args)
    : `${foundIn(tools)(args)}, expected struct ${struct}`;
  return PREFIX + (reason ?? text);
};

const reasonOf = (tools: OldTools, { fields, isClosed }: Shape, args: JsonObject): string | undefined => {
  for (const [name, value] of Object.entries(args)) {
    const kind = ownOf(fields, name);
    if (kind === undefined && isClosed)
      return `unknown field \`${name}\`, expected one of ${quoted(Object.keys(fields))}`;
    const isAbsent = value === null && name !== 'prompt';
    const fault = kind === undefined || isAbsent ? undefined : faultOf(foundIn(tools), kind, value);
    if (fault !== undefined) return fault;
  }
  return Object.hasOwn(args, 'prompt') ? undefined : 'missing field `prompt`';
};

const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

type Found = (value: unknown) => string;

const faultOf = (found: Found, kind: SettingType, value: unknown): string | undefined => {
  if (typeof kind === 'object') {
    if (typeof value !== 'string') return `${found(value)}, expected string or map`;
    return kind.includes(value) ? undefined : `unknown variant \`${value}\`, expected one of ${quoted(kind)}`;
  }
  if (kind === 'table') return isObject(value) ? undefined : `${found(value)}, expected a map`;
  const [type, name] = kind === 'text' ? ['string', 'a string'] : ['boolean', 'a boolean'];
  return typeof value === type ? undefined : `${found(value)}, expected ${name}`;
};

/** A value as the JSON reader of the originals named it. */
const foundIn =
  ({ toNumber }: OldTools): Found =>
  (value) => {
    if (value === null) return 'invalid type: null';
    if (Array.isArray(value)) return 'invalid type: sequence';
    if (typeof value === 'string') return `invalid type: string ${JSON.stringify(value)}`;
    if (typeof value === 'object') return 'invalid type: map';
    return typeof value === 'number' ? `invalid type: ${toNumber(value)}` : `invalid type: boolean \`${value}\``;
  };

/** Texts of an old release. */
export type OldTexts = {
  /** A result. */
  unknownTool: (name: string) => string;
  /** A result. */
  invalidArguments: (tool: string, about: { args: unknown; text: string }) => string;
  /** Our text in the words of the release. */
  rejected: (text: string) => string;
};

const unknownTool = (name: string): string => `Unknown tool '${name}'`;

/** @param id the field with the id of a thread @param noThread the text if no thread is named */
const textsOf = (tools: OldTools, id: string, noThread: string): OldTexts => ({
  unknownTool,
  invalidArguments: (tool, about) => oldArgumentText(tools, tool, about),
  rejected: (text) => (NO_THREAD.test(text) ? noThread : oldRejection(text, id)),
});

/** Our own sentences for what the originals wrote in short. */
const NOT_FOUND = /^Session not found for thread_id: (?<id>[^ ]+)\. .*$/s;
const NO_THREAD = /^There is no thread on this connection/;
const WRONG_SETTINGS = /^Failed to load Codex configuration: (?:argument [^:]*: )?/;
const UUID = /^(?:urn:uuid:)?[0-9a-f-]+$/i;

/** @param name the field with the id of a thread */
const oldRejection = (text: string, name: string): string => {
  const id = NOT_FOUND.exec(text)?.groups?.id;
  if (id === undefined) return text.replace(WRONG_SETTINGS, 'Failed to load Codex configuration from overrides: ');
  return UUID.test(id) ? `Session not found for ${name}: ${id}` : `Failed to parse ${name}: ${notHexadecimal(id)}`;
};

const notHexadecimal = (id: string): string => {
  const at = id.search(/[^0-9a-fA-F-]/);
  return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${id[at]}\` at ${at + 1}`;
};

/** Source: Codex 0.28.0, WIRE 4.1 and 5. */
export const TEXTS_028: OldTexts = textsOf(
  TOOLS_028,
  'session_id',
  'Failed to parse configuration for Codex tool: missing field `sessionId`',
);

/** Source: Codex 0.142.0, tapes v142-*. */
export const TEXTS_0153: OldTexts = textsOf(
  TOOLS_0153,
  'thread_id',
  'Failed to parse thread_id: either threadId or conversationId must be provided',
);
