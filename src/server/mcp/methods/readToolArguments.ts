/** The arguments of a tool call: what they ask for, or what is wrong with them. */
import type * as z from 'zod/mini';
import type { ThreadRef } from '../../../protocol/codex/operations';
import type { ThreadSettings } from '../../../protocol/codex/settings';
import { CodexArguments, CodexReplyArguments, settingsOf } from '../../../protocol/codex/toolArguments';
import type { TurnSettings } from '../../../protocol/codex/turnSettings';
import { faultsOf } from '../../../protocol/jsonrpc/checkParams';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { withoutUndefined } from '../../../protocol/jsonrpc/json';
import { nearest } from '../../../streams/text/nearest';

/** What a tool call asks an agent for. */
export type ToolRequest = Continued & {
  /** The message to the thread. */
  prompt: string;
};

type Continued = {
  /** The thread, or the settings of a new one. */
  thread: ThreadRef;
  /** Settings of the thread from now on; absent if they stay as they are. */
  lasting?: TurnSettings;
};

/** The arguments do not fit. The model that wrote them must read why, so this becomes a tool result, not a protocol error. */
export class InvalidArguments extends Error {
  override name = 'InvalidArguments';
}

/** The tools by name. */
export const readToolArguments: Record<string, (args: JsonObject) => ToolRequest> = {
  codex: (args) => {
    const { prompt, ...given } = readArguments('codex', CodexArguments(), args);
    const settings = settingsOf(given);
    return { prompt, ...(resumedThread(settings) ?? { thread: { start: settings } }) };
  },
  'codex-reply': (args) => {
    const { prompt, cwd, config, ...ids } = readArguments('codex-reply', CodexReplyArguments(), args);
    const lasting = withoutUndefined({ cwd, config });
    const given = new Set([ids.threadId, ids.conversationId, ids.sessionId].filter((id) => id !== undefined));
    if (given.size > 1) throw new InvalidArguments('threadId, conversationId and sessionId name different threads');
    const [id] = given;
    const thread = id === undefined ? ({ newest: true } as const) : { id };
    return { prompt, thread, ...(Object.keys(lasting).length > 0 && { lasting }) };
  },
};

/** A null argument counts as absent, as it did in 0.28.0. */
const readArguments = <S extends z.ZodMiniObject>(tool: string, schema: S, args: JsonObject): z.output<S> => {
  const present = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data as z.output<S>;
  const unknown = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  throw new InvalidArguments(
    unknown.length > 0
      ? unknown.map((name) => unknownName(tool, name, Object.keys(schema.shape))).join(' ')
      : `The arguments of ${tool} do not fit: ${faultsOf(parsed.error)}.`,
  );
};

const unknownName = (tool: string, name: string, known: string[]): string => {
  const near = nearest(name, known);
  const hint = near === undefined ? `It takes ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
  return `${tool} has no argument \`${name}\`. ${hint}`;
};

/** The name of a session file ends with the id of its thread; the folder does not matter, as threads are found by their ids. */
const NAME = /(?:^|[\\/])rollout-[\dT-]+-(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i;

/**
 * The thread whose file `experimental_resume` in the `config` of a call names, and the settings of the call, which apply to it from then on; undefined without
 * that key, or if it names no session file. No file is read: the thread is looked for as `codex-reply` does.
 * Source: Codex 0.28.0, CORE 8.2; it read any path.
 */
export const resumedThread = ({ config = {}, sandbox, ...settings }: ThreadSettings): Continued | undefined => {
  const { experimental_resume: path, ...keys } = config;
  const id = typeof path === 'string' ? NAME.exec(path)?.groups?.id : undefined;
  if (id === undefined) return undefined;
  const lasting: TurnSettings = {
    ...withoutUndefined(settings),
    ...(sandbox !== undefined && { sandbox: { mode: sandbox } }),
    ...(Object.keys(keys).length > 0 && { config: keys }),
  };
  return { thread: { id }, ...(Object.keys(lasting).length > 0 && { lasting }) };
};
