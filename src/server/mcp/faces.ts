/** Owns how the same conversation looks to clients of different releases. */
import * as z from 'zod/mini';
import {
  CodexArguments,
  CodexReplyArguments,
  type EventMsg,
  type JsonObject,
  type JsonSchema,
  type RequestId,
  type Told,
  type Tool,
} from '../../protocol';

export const FACES = ['union', '0.28', '0.153'] as const;
export type FaceName = (typeof FACES)[number];

/** One outward form: what is shown of the tools, of an event, of a result. */
export type Face = {
  serverInfo: { name: string; title: string; version: string };
  capabilities: JsonObject;
  tools: () => Tool[];
  meta: (requestId: RequestId, threadId: string) => JsonObject;
  msg: (told: Told) => JsonObject;
  structured: boolean;
};

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

/** JSON Schema of a zod object; the dialect is the default one, so `$schema` is left out. */
const toSchema = (schema: z.ZodMiniObject): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};

const annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const unionTools = (): Tool[] => [
  {
    name: 'codex',
    title: 'Codex',
    description: START,
    inputSchema: toSchema(CodexArguments),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { title: 'Codex', ...annotations },
  },
  {
    name: 'codex-reply',
    title: 'Codex Reply',
    description: REPLY,
    inputSchema: toSchema(CodexReplyArguments),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { title: 'Codex Reply', ...annotations },
  },
];

const withoutOpen = ({ additionalProperties: _, ...schema }: JsonSchema): JsonSchema => schema;

/** Source: tools/list of Codex 0.28.0. */
const oldTools = (): Tool[] => [
  {
    name: 'codex',
    title: 'Codex',
    description: START,
    inputSchema: withoutOpen(
      toSchema(z.omit(CodexArguments, { 'developer-instructions': true, 'compact-prompt': true })),
    ),
  },
  {
    name: 'codex-reply',
    title: 'Codex Reply',
    description: REPLY,
    inputSchema: {
      ...withoutOpen(toSchema(z.pick(CodexReplyArguments, { prompt: true, sessionId: true }))),
      required: ['prompt', 'sessionId'],
    },
  },
];

/** Source: tools/list of Codex 0.142.0; 0.153.4 has the same. */
const lastTools = (): Tool[] => [
  {
    name: 'codex',
    title: 'Codex',
    description: START,
    inputSchema: toSchema(z.omit(CodexArguments, { profile: true, 'include-plan-tool': true })),
    outputSchema: OUTPUT_SCHEMA,
  },
  {
    name: 'codex-reply',
    title: 'Codex Reply',
    description: REPLY,
    inputSchema: withoutOpen(toSchema(z.omit(CodexReplyArguments, { sessionId: true }))),
    outputSchema: OUTPUT_SCHEMA,
  },
];

const base64 = (chunk: Uint8Array): string =>
  Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64');

const usageInfo = ({ type: _, ...usage }: Extract<EventMsg, { type: 'token_count' }>) => ({
  info: { last_token_usage: usage },
});

/** 0.28.0's shapes, with what later releases added beside them; bytes as base64, as 0.142.0 sends them. */
const unionMsg = ({ msg, threadId, turnId }: Told): JsonObject => {
  switch (msg.type) {
    case 'session_configured':
      return { ...msg, thread_id: threadId };
    case 'task_started':
    case 'task_complete':
    case 'turn_aborted':
    case 'exec_approval_request':
      return { ...msg, turn_id: turnId };
    case 'exec_command_output_delta':
      return { ...msg, chunk: base64(msg.chunk) };
    case 'token_count':
      return { ...msg, ...usageInfo(msg) };
    default:
      return msg;
  }
};

/** Source: WIRE 7, tapes of Codex 0.28.0. */
const oldMsg = ({ msg }: Told): JsonObject => {
  switch (msg.type) {
    case 'session_configured': {
      const { type, session_id, model, history_log_id, history_entry_count } = msg;
      return { type, session_id, model, history_log_id, history_entry_count };
    }
    case 'agent_message_delta':
    case 'agent_reasoning_delta':
    case 'agent_reasoning_raw_content_delta':
      return { type: msg.type, delta: msg.delta };
    case 'agent_reasoning_section_break':
      return { type: msg.type };
    case 'exec_command_output_delta':
      return { ...msg, chunk: [...msg.chunk] };
    default:
      return msg;
  }
};

/** Source: tapes of Codex 0.142.0 and 0.153.4. */
const lastMsg = (told: Told): JsonObject => {
  const { msg, threadId: thread_id, turnId: turn_id } = told;
  switch (msg.type) {
    case 'agent_message_delta':
      return { ...msg, type: 'agent_message_content_delta', thread_id, turn_id };
    case 'agent_reasoning_delta':
      return { ...msg, type: 'reasoning_content_delta', thread_id, turn_id, summary_index: 0 };
    case 'agent_reasoning_raw_content_delta':
      return { ...msg, type: 'reasoning_raw_content_delta', thread_id, turn_id, content_index: 0 };
    case 'token_count':
      return { type: msg.type, ...usageInfo(msg), rate_limits: null };
    case 'exec_command_begin':
    case 'exec_command_end':
      return { ...msg, turn_id };
    default:
      return unionMsg(told);
  }
};

/** The face of this name; `version` is that of this program, for the face that shows it. */
export const faceOf = (name: FaceName, version: string): Face => faces(version)[name];

const faces = (version: string): Record<FaceName, Face> => ({
  union: {
    serverInfo: { name: 'codex-rx', title: 'Codex', version },
    capabilities: { tools: {}, logging: {} },
    tools: unionTools,
    meta: (requestId, threadId) => ({ requestId, threadId }),
    msg: unionMsg,
    structured: true,
  },
  '0.28': {
    serverInfo: { name: 'codex-mcp-server', title: 'Codex', version: '0.28.0' },
    capabilities: { tools: { listChanged: true } },
    tools: oldTools,
    meta: (requestId) => ({ requestId }),
    msg: oldMsg,
    structured: false,
  },
  '0.153': {
    serverInfo: { name: 'codex-mcp-server', title: 'Codex', version: '0.153.4' },
    capabilities: { tools: { listChanged: true } },
    tools: lastTools,
    meta: (requestId, threadId) => ({ requestId, threadId }),
    msg: lastMsg,
    structured: true,
  },
});
