/** What members of messages of ACP, version 1, must be; others may be anything. Source: schema/v1/schema.json of agentclientprotocol. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import type { SessionUpdate } from './acp';

/** A schema that is made when it is first needed. */
export type Shape = () => z.ZodMiniType;
type Members = Record<string, Shape>;

const made = (members: Members) => Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, shape()]));

const text = lazy(() => z.string());
const flag = lazy(() => z.boolean());
const amount = lazy(() => z.number());
const count = lazy(() => z.int().check(z.gte(0)));
const object = (members: Members = {}): Shape => lazy(() => z.looseObject(made(members)));
const list = (item: Shape): Shape => lazy(() => z.array(item()));
const optional = (shape: Shape): Shape => lazy(() => z.optional(shape()));
const nullable = (shape: Shape): Shape => lazy(() => z.optional(z.nullable(shape())));
const oneOf = (words: string): Shape => lazy(() => z.enum(words.split(' ')));

const either = (one: Shape, other: Shape): Shape => lazy(() => z.union([one(), other()]));

/** An object whose member `name` says which shape it has. */
const byKind = (name: string, shapes: Record<string, Members>): Shape =>
  lazy(() => {
    const [first, ...others] = Object.entries(shapes).map(([kind, members]) =>
      z.looseObject({ [name]: z.literal(kind), ...made(members) }),
    );
    const kinds = `must be one of ${Object.keys(shapes).join(', ')}`;
    return z.discriminatedUnion(name, [first as z.ZodMiniObject, ...others], {
      error: ({ code }) => (code === 'invalid_union' ? kinds : undefined),
    });
  });

const session = { sessionId: text };
const folder = { cwd: text, additionalDirectories: optional(list(text)) };
const implementation = nullable(object({ name: text, version: text, title: nullable(text) }));
const variables = list(object({ name: text, value: text }));
const remote = object({ type: oneOf('http sse'), name: text, url: text, headers: variables });
const stdio = object({ name: text, command: text, args: list(text), env: variables });
const servers = list(either(remote, stdio));
const annotations = nullable(
  object({
    audience: nullable(list(oneOf('assistant user'))),
    lastModified: nullable(text),
    priority: nullable(amount),
  }),
);

const block = byKind('type', {
  text: { text, annotations },
  image: { data: text, mimeType: text, uri: nullable(text), annotations },
  audio: { data: text, mimeType: text, annotations },
  resource_link: { uri: text, name: text, annotations },
  resource: { resource: either(object({ uri: text, text }), object({ uri: text, blob: text })), annotations },
});

const toolContent = list(
  byKind('type', {
    content: { content: block },
    diff: { path: text, oldText: nullable(text), newText: text },
    terminal: { terminalId: text },
  }),
);

/** Members of a tool call; `may` says how the members that are not required may be missing. */
const tool = (may: (shape: Shape) => Shape): Members => ({
  toolCallId: text,
  kind: may(oneOf('read edit delete move search execute think fetch switch_mode other')),
  status: may(oneOf('pending in_progress completed failed')),
  content: may(toolContent),
  locations: may(list(object({ path: text, line: nullable(count) }))),
});

const toolUpdate: Members = { ...tool(nullable), title: nullable(text) };

const configOptions = list(
  byKind('type', {
    select: { id: text, name: text, currentValue: text, options: list(object({ name: text })) },
    boolean: { id: text, name: text, currentValue: flag },
  }),
);
const modes = nullable(object({ currentModeId: text, availableModes: list(object({ id: text, name: text })) }));
const settings = { modes, configOptions: nullable(configOptions) };
const chunk = { content: block, messageId: nullable(text) };

const update = byKind('sessionUpdate', {
  user_message_chunk: chunk,
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  tool_call: { ...tool(optional), title: text },
  tool_call_update: toolUpdate,
  plan: {
    entries: list(
      object({ content: text, priority: oneOf('high medium low'), status: oneOf('pending in_progress completed') }),
    ),
  },
  available_commands_update: {
    availableCommands: list(object({ name: text, description: text, input: nullable(object({ hint: text })) })),
  },
  current_mode_update: { currentModeId: text },
  config_option_update: { configOptions },
  session_info_update: { title: nullable(text), updatedAt: nullable(text) },
  usage_update: { used: count, size: count, cost: nullable(object({ amount, currency: text })) },
} satisfies Record<SessionUpdate['sessionUpdate'], Members>);

const option = object({ optionId: text, name: text, kind: oneOf('allow_once allow_always reject_once reject_always') });
const terminal = object({ ...session, terminalId: text });

const flags = (names: string): Shape =>
  optional(object(Object.fromEntries(names.split(' ').map((name) => [name, optional(flag)]))));
const objects = (names: string): Shape =>
  object(Object.fromEntries(names.split(' ').map((name) => [name, nullable(object())])));

const clientCapabilities = object({
  fs: flags('readTextFile writeTextFile'),
  terminal: optional(flag),
  elicitation: nullable(objects('form url')),
});
const agentCapabilities = object({
  loadSession: optional(flag),
  promptCapabilities: flags('image audio embeddedContext'),
  mcpCapabilities: flags('http sse'),
  sessionCapabilities: optional(objects('list delete additionalDirectories resume close')),
  auth: optional(objects('logout')),
});

/** The params of requests and notifications, by method. */
export const PARAMS: Readonly<Record<string, Shape>> = {
  initialize: object({
    protocolVersion: count,
    clientCapabilities: optional(clientCapabilities),
    clientInfo: implementation,
  }),
  authenticate: object({ methodId: text }),
  'session/new': object({ ...folder, mcpServers: servers }),
  'session/load': object({ ...session, ...folder, mcpServers: servers }),
  'session/resume': object({ ...session, ...folder, mcpServers: optional(servers) }),
  'session/list': object({ cwd: nullable(text), cursor: nullable(text) }),
  'session/prompt': object({ ...session, prompt: list(block) }),
  'session/cancel': object(session),
  'session/close': object(session),
  'session/delete': object(session),
  'session/set_mode': object({ ...session, modeId: text }),
  'session/set_config_option': object({ ...session, configId: text }),
  'session/update': object({ ...session, update }),
  'session/request_permission': object({ ...session, toolCall: object(toolUpdate), options: list(option) }),
  'fs/read_text_file': object({ ...session, path: text, line: nullable(count), limit: nullable(count) }),
  'fs/write_text_file': object({ ...session, path: text, content: text }),
  'terminal/create': object({
    ...session,
    command: text,
    args: optional(list(text)),
    env: optional(variables),
    cwd: nullable(text),
    outputByteLimit: nullable(count),
  }),
  'terminal/output': terminal,
  'terminal/release': terminal,
  'terminal/wait_for_exit': terminal,
  'terminal/kill': terminal,
  'elicitation/create': object({ message: text }),
};

/** The results of requests, by method. */
export const RESULTS: Readonly<Record<string, Shape>> = {
  initialize: object({
    protocolVersion: count,
    agentCapabilities: optional(agentCapabilities),
    authMethods: optional(list(object({ id: text, name: text }))),
    agentInfo: implementation,
  }),
  authenticate: object(),
  logout: object(),
  'session/new': object({ ...session, ...settings }),
  'session/load': object(settings),
  'session/resume': object(settings),
  'session/list': object({ sessions: list(object({ ...session, cwd: text })), nextCursor: nullable(text) }),
  'session/prompt': object({ stopReason: oneOf('end_turn max_tokens max_turn_requests refusal cancelled') }),
  'session/close': object(),
  'session/delete': object(),
  'session/set_mode': object(),
  'session/set_config_option': object({ configOptions }),
  'session/request_permission': object({
    outcome: byKind('outcome', { cancelled: {}, selected: { optionId: text } }),
  }),
  'fs/read_text_file': object({ content: text }),
  'fs/write_text_file': object(),
  'terminal/create': object({ terminalId: text }),
  'terminal/output': object({ output: text, truncated: flag }),
  'terminal/release': object(),
  'terminal/wait_for_exit': object({ exitCode: nullable(count), signal: nullable(text) }),
  'terminal/kill': object(),
};
