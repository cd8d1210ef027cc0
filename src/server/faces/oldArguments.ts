/** What was wrong with the arguments of a tool, as old releases wrote it; their clients match on these texts. */
import type { OldRelease, SettingType } from '../../protocol/codex/settingRow';
import { fromRows } from '../../protocol/codex/settings';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

type Shape = {
  /** Its type in the release. */
  struct: string;
  /** The types of the arguments, in the order of the release. */
  fields: Record<string, SettingType>;
  /** The arguments that must be given. */
  required: readonly string[];
  /** Whether an unknown argument is an error. */
  isClosed: boolean;
};

/** The tools of a release. */
export type OldTools = {
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
  codex: {
    struct: 'CodexToolCallParam',
    fields: fieldsOf('0.28'),
    required: ['prompt'],
    isClosed: false,
  },
  reply: {
    struct: 'CodexToolCallReplyParam',
    fields: { sessionId: 'text', prompt: 'text' },
    required: ['prompt'],
    isClosed: false,
  },
  missing: 'session_id',
  toNumber: (value) => `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``,
};

/** Source: Codex 0.142.0, tapes v142-codex-bad-args and v142-reply-errors. */
export const TOOLS_0153: OldTools = {
  codex: {
    struct: 'CodexToolCallParam',
    fields: fieldsOf('0.153'),
    required: ['prompt'],
    isClosed: true,
  },
  reply: {
    struct: 'CodexToolCallReplyParam',
    fields: { conversationId: 'text', threadId: 'text', prompt: 'text' },
    required: ['prompt'],
    isClosed: false,
  },
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
  if (args === undefined || args === null) return isReply ? missingReply(tools) : MISSING;
  const shape = isReply ? tools.reply : tools.codex;
  const reason = isObject(args)
    ? reasonOf(tools, shape, args)
    : `${foundIn(tools)(args)}, expected struct ${shape.struct}`;
  return PREFIX + (reason ?? text);
};

const MISSING = 'Missing arguments for codex tool-call; the `prompt` field is required.';

const missingReply = ({ missing }: OldTools): string =>
  `Missing arguments for codex-reply tool-call; the \`${missing}\` and \`prompt\` fields are required.`;

const reasonOf = (tools: OldTools, { fields, required, isClosed }: Shape, args: JsonObject): string | undefined => {
  for (const [name, value] of Object.entries(args)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined && isClosed)
      return `unknown field \`${name}\`, expected one of ${quoted(Object.keys(fields))}`;
    const isAbsent = value === null && !required.includes(name);
    const fault = kind === undefined || isAbsent ? undefined : faultOf(foundIn(tools), kind, value);
    if (fault !== undefined) return fault;
  }
  const absent = required.find((name) => !Object.hasOwn(args, name));
  return absent === undefined ? undefined : `missing field \`${absent}\``;
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
