/** What `tools/list` shows, for each face; the schemas come from the zod definitions. */
import * as z from 'zod/mini';
import type { OldRelease } from '../../protocol/codex/settingRow';
import { fromRows } from '../../protocol/codex/settings';
import { CodexArguments, CodexReplyArguments } from '../../protocol/codex/toolArguments';
import type { JsonSchema } from '../../protocol/jsonrpc/json';
import type { Tool } from '../../protocol/mcp/mcp';

const OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    threadId: { type: 'string', description: 'Id of the thread; give it to codex-reply to go on.' },
    content: { type: 'string', description: 'The last message of the agent.' },
  },
  required: ['threadId', 'content'],
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

/** The union of both releases. */
export const unionTools = (): Tool[] => [
  {
    ...CODEX,
    inputSchema: toSchema(CodexArguments()),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { title: 'Codex', ...annotations },
  },
  {
    ...CODEX_REPLY,
    inputSchema: toSchema(CodexReplyArguments()),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { title: 'Codex Reply', ...annotations },
  },
];

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
