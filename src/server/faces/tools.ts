/** What `tools/list` shows, for each face; the schemas come from the zod definitions. */
import * as z from 'zod/mini';
import type { OldRelease } from '../../protocol/codex/settingRow';
import { fromRows } from '../../protocol/codex/settings';
import {
  CodexArguments,
  CodexReplyArguments,
  ThreadArguments,
  ThreadsArguments,
} from '../../protocol/codex/toolArguments';
import type { JsonSchema } from '../../protocol/jsonrpc/json';
import type { Tool } from '../../protocol/mcp/mcp';

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    threadId: { type: 'string', description: 'Id of the thread; give it to codex-reply to go on.' },
    content: { type: 'string', description: 'The last message of the agent.' },
  },
  required: ['threadId', 'content'],
};

const described = (type: string, description: string, more: JsonSchema = {}): JsonSchema => ({
  type,
  description,
  ...more,
});
const text = (description: string): JsonSchema => described('string', description);
const count = (description: string): JsonSchema => described('integer', description);
const listOf = (description: string, properties: JsonSchema, required: string[]): JsonSchema =>
  described('array', description, { items: { type: 'object', properties, required } });

const TOKENS = {
  inputTokens: count('Tokens that the model read, the cached ones included.'),
  cachedInputTokens: count('Of these, the tokens that the provider had cached.'),
  outputTokens: count('Tokens that the model wrote, its reasoning included.'),
  reasoningOutputTokens: count('Of these, the tokens of its reasoning.'),
  totalTokens: count('All of them.'),
};

/** What the results of the union have besides. */
const WORK_SCHEMA = {
  usage: described('object', 'Tokens, as far as the provider reports them.', {
    properties: {
      turn: described('object', 'Of this turn.', { properties: TOKENS }),
      thread: described('object', 'Of the thread so far.', { properties: TOKENS }),
      contextWindow: count('The most tokens that the model reads.'),
    },
  }),
  durationMs: count('How long the call took, its questions included.'),
  changes: listOf(
    'Files that patches changed in this turn. What commands changed is not listed.',
    { path: text('Absolute path.'), kind: { type: 'string', enum: ['add', 'delete', 'update'] } },
    ['path', 'kind'],
  ),
  commands: count('How many commands ran.'),
  notDone: listOf(
    'Actions that were not approved, or not allowed.',
    { what: text('The action.'), reason: text('Why; absent if the user declined it.') },
    ['what'],
  ),
};

const UNION_SCHEMA: JsonSchema = { ...OUTPUT_SCHEMA, properties: { ...OUTPUT_SCHEMA.properties, ...WORK_SCHEMA } };

const STATUS = {
  type: 'string',
  enum: ['working'],
  description: 'Present if the agent is not done: codex-wait gives the rest.',
};

/** The schema if calls may be answered before they are done. */
const WAITING_SCHEMA: JsonSchema = {
  ...OUTPUT_SCHEMA,
  properties: { ...OUTPUT_SCHEMA.properties, status: STATUS, ...WORK_SCHEMA },
};

const START = `Start a Codex agent on a task. It works on its own in the folder \`cwd\`: reads and edits files, runs commands, and asks the user before anything the approval policy does not allow. Returns the agent's last message and a threadId; go on with that thread by codex-reply.`;
const REPLY = `Send the next message to a Codex thread that \`codex\` started. The agent remembers the whole conversation. Calls on one thread wait for each other; different threads run side by side.`;

/** JSON Schema of a zod object in the default dialect; `propertyNames`, which some hosts refuse, is left out: it constrains nothing here. */
const toSchema = (schema: z.ZodMiniObject): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type !== 'record') return;
      delete jsonSchema.propertyNames;
      jsonSchema.additionalProperties = true;
    },
  });
  return rest;
};

const annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const CODEX = { name: 'codex', title: 'Codex', description: START };
const CODEX_REPLY = { name: 'codex-reply', title: 'Codex Reply', description: REPLY };

/** Which tools are offered besides `codex` and `codex-reply`. */
export type ToolOffer = {
  /** Calls may be answered before they are done. */
  waits?: boolean;
  /** The tools about threads. */
  threads?: boolean;
};

/** The union of both releases, and the tools that are ours. */
export const unionTools = ({ waits = false, threads = false }: ToolOffer = {}): Tool[] => [
  {
    ...CODEX,
    inputSchema: toSchema(CodexArguments()),
    outputSchema: waits ? WAITING_SCHEMA : UNION_SCHEMA,
    annotations: { title: 'Codex', ...annotations },
  },
  {
    ...CODEX_REPLY,
    inputSchema: toSchema(CodexReplyArguments()),
    outputSchema: waits ? WAITING_SCHEMA : UNION_SCHEMA,
    annotations: { title: 'Codex Reply', ...annotations },
  },
  ...(waits ? [waitTool()] : []),
  ...(threads ? [interruptTool(), threadsTool()] : []),
];

const tool = (name: string, title: string, about: Pick<Tool, 'description' | 'inputSchema' | 'outputSchema'>) => ({
  name,
  title,
  ...about,
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const waitTool = (): Tool =>
  tool('codex-wait', 'Codex Wait', {
    description:
      'Wait for the agent of a thread whose last result has `status: "working"`. Returns its result once it is done, or says again that it works: then call codex-wait again. The user is asked meanwhile what the agent wants to know.',
    inputSchema: toSchema(ThreadArguments()),
    outputSchema: WAITING_SCHEMA,
  });

const interruptTool = (): Tool => {
  const description = 'Stop the turn that runs on a Codex thread. What it has done stays; go on with codex-reply.';
  const shown = tool('codex-interrupt', 'Codex Interrupt', { description, inputSchema: toSchema(ThreadArguments()) });
  return { ...shown, annotations: { ...shown.annotations, readOnlyHint: false } };
};

const threadsTool = (): Tool =>
  tool('codex-threads', 'Codex Threads', {
    description: 'List the Codex threads of this machine, the newest first, to go on with one by codex-reply.',
    inputSchema: toSchema(ThreadsArguments()),
    outputSchema: {
      type: 'object',
      properties: { threads: listOf('The threads.', THREAD_SCHEMA, ['threadId']) },
      required: ['threads'],
    },
  });

const THREAD_SCHEMA = {
  threadId: text('Id of the thread.'),
  cwd: text('Folder that it works in.'),
  preview: text('The beginning of its first message.'),
  updatedAt: text('When it was last used, as ISO 8601.'),
};

const argumentsOf = (release: OldRelease) =>
  z.omit(
    CodexArguments(),
    fromRows(({ argument }) => (argument && !argument.releases.includes(release) ? [argument.name, true] : null)),
  );

const withoutOpen = ({ additionalProperties: _, ...schema }: JsonSchema): JsonSchema => schema;

/** Source: tools/list of Codex 0.28.0. */
export const tools028 = (): Tool[] => [
  { ...CODEX, inputSchema: withoutOpen(toSchema(argumentsOf('0.28'))) },
  {
    ...CODEX_REPLY,
    inputSchema: {
      ...withoutOpen(toSchema(z.pick(CodexReplyArguments(), { prompt: true, sessionId: true }))),
      required: ['prompt', 'sessionId'],
    },
  },
];

/** Source: tools/list of Codex 0.142.0; 0.153.4 has the same. */
export const tools0153 = (): Tool[] => [
  { ...CODEX, inputSchema: toSchema(argumentsOf('0.153')), outputSchema: OUTPUT_SCHEMA },
  {
    ...CODEX_REPLY,
    inputSchema: withoutOpen(toSchema(z.omit(CodexReplyArguments(), { sessionId: true, cwd: true, config: true }))),
    outputSchema: OUTPUT_SCHEMA,
  },
];
