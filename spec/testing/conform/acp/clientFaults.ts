/** Faults of agents at what their client does for them, each with the cases that find it: permissions, files, terminals. */
import { toObject } from '../../../../src/protocol/jsonrpc/json';
import { is, type Json, message, type Planted, read, sent, stopped } from '../planting';
import type { Fault } from '../servers';

const PERMISSION = 'session/request_permission';

/** Changes the responses of the client to requests with a method; the agent gets none that is undefined. */
const responded =
  (method: string, change: (response: Json) => Json | undefined): Fault =>
  (good) => {
    const ids = new Set<unknown>();
    return (line) => {
      const value = read(line);
      const isOwn = value.method === undefined && ids.has(value.id);
      const changed = isOwn ? change(value) : value;
      const lines = changed === undefined ? [] : good(isOwn ? JSON.stringify(changed) : line);
      for (const one of lines.map(read)) if (one.method === method) ids.add(one.id);
      return lines;
    };
  };

const outcomeOf = ({ result }: Json): Json => toObject(toObject(result).outcome);
const allowed = ({ id }: Json): Json => ({
  jsonrpc: '2.0',
  id,
  result: { outcome: { outcome: 'selected', optionId: 'yes' } },
});
const isOdd = (response: Json): boolean => {
  const { outcome, optionId } = outcomeOf(response);
  return outcome !== 'cancelled' && !(outcome === 'selected' && ['yes', 'no'].includes(String(optionId)));
};

/** Does as if the client had declared other capabilities. */
const taking =
  (capabilities: Json): Fault =>
  (good) =>
  (line) => {
    const { params, ...rest } = read(line);
    const own = { ...toObject(params), clientCapabilities: capabilities };
    return good(is(line, 'initialize') ? JSON.stringify({ ...rest, params: own }) : line);
  };

/** Changes the params of requests of the agent. */
const asking = (name: string, change: (params: Json) => Json): Fault =>
  sent((text, { method, params, ...rest }) =>
    method === name ? [JSON.stringify({ ...rest, method, params: change(toObject(params)) })] : [text],
  );

const withoutError = (response: Json): Json | undefined => ('error' in response ? undefined : response);

/** Takes the servers of a session for others. */
const given =
  (method: RegExp, change: (servers: Json[]) => Json[]): Fault =>
  (good) =>
  (line) => {
    const { params, ...rest } = read(line);
    const { mcpServers } = toObject(params);
    if (!method.test(String(rest.method)) || !Array.isArray(mcpServers)) return good(line);
    return good(JSON.stringify({ ...rest, params: { ...toObject(params), mcpServers: change(mcpServers) } }));
  };

const ANY = /^session\//;

/** Found in agents. */
export const CLIENT_FAULTS: Readonly<Record<string, Planted>> = {
  'does what was rejected': {
    fault: responded(PERMISSION, (one) => (outcomeOf(one).optionId === 'no' ? allowed(one) : one)),
    found: ['acp-permission-rejected-status'],
  },
  'takes a dismissed question for a yes': {
    fault: responded(PERMISSION, (one) => (outcomeOf(one).outcome === 'cancelled' ? allowed(one) : one)),
    found: ['acp-permission-dismissed-status'],
  },
  'takes anything for a yes': {
    fault: responded(PERMISSION, (one) => (isOdd(one) ? allowed(one) : one)),
    found: ['unknown-option', 'unknown-outcome', 'no-outcome', 'null', 'error'].map(
      (kind) => `acp-permission-odd-answer-${kind}`,
    ),
  },
  'goes on only when it is allowed': {
    fault: responded(PERMISSION, (one) => (outcomeOf(one).optionId === 'yes' ? one : undefined)),
    found: ['acp-permission-rejected', 'acp-permission-dismissed', 'acp-permission-odd-answer-null'],
  },
  'does nothing when it is allowed': {
    fault: responded(PERMISSION, (one) => (outcomeOf(one).optionId === 'yes' ? undefined : one)),
    found: ['acp-permission-allowed'],
  },
  'does what it asks for at once': {
    fault: sent((text, { method, params }) => {
      const { sessionId, toolCall } = toObject(params);
      const update = { sessionUpdate: 'tool_call_update', ...toObject(toolCall), status: 'completed' };
      return method === PERMISSION
        ? [message({ method: 'session/update', params: { sessionId, update } }), text]
        : [text];
    }),
    found: ['acp-permission-waits', 'acp-permission-rejected-status', 'acp-permission-dismissed-status'],
  },
  'ends what was cancelled as usual': {
    fault: stopped(() => 'end_turn'),
    found: ['acp-permission-cancel', 'acp-terminal-cancel', 'acp-cancel-at-once', 'acp-turns-end'],
  },
  'leaves no way to reject': {
    fault: asking(PERMISSION, ({ options, ...params }) => ({ ...params, options: (options as Json[]).slice(0, 1) })),
    found: ['acp-permission-options'],
  },
  'asks about no tool call': {
    fault: asking(PERMISSION, ({ toolCall, ...params }) => ({ ...params, toolCall: {} })),
    found: ['acp-permission-allowed', 'acp-published-shapes'],
  },
  'reads relative paths': {
    fault: asking('fs/read_text_file', (params) => ({ ...params, path: 'a' })),
    found: ['acp-fs-read', 'acp-absolute-paths'],
  },
  'counts lines from 0': {
    fault: asking('fs/read_text_file', (params) => ({ ...params, line: 0 })),
    found: ['acp-fs-read'],
  },
  'writes what is no text': {
    fault: asking('fs/write_text_file', (params) => ({ ...params, content: 7 })),
    found: ['acp-fs-write', 'acp-published-shapes'],
  },
  'waits for files that cannot be read': {
    fault: responded('fs/read_text_file', withoutError),
    found: ['acp-fs-read-fails'],
  },
  'waits for files that cannot be written': {
    fault: responded('fs/write_text_file', withoutError),
    found: ['acp-fs-write-fails'],
  },
  'uses files of any client': {
    fault: taking({ fs: { readTextFile: true, writeTextFile: true } }),
    found: [
      'acp-fs-undeclared',
      'acp-fs-undeclared-write',
      'acp-fs-read-only',
      'acp-fs-write-only',
      'acp-only-declared-methods',
    ],
  },
  'uses terminals of any client': {
    fault: taking({ terminal: true }),
    found: ['acp-terminal-undeclared', 'acp-only-declared-methods'],
  },
  'runs nothing': {
    fault: asking('terminal/create', (params) => ({ ...params, command: '' })),
    found: ['acp-terminal'],
  },
  'releases no terminal': {
    fault: sent((text) => [text.replace('terminal/release', 'terminal/output')]),
    found: ['acp-terminal-release', 'acp-terminal-cancel-release'],
  },
  'waits for terminals that are not there': {
    fault: responded('terminal/create', withoutError),
    found: ['acp-terminal-fails'],
  },
  'starts no servers': {
    fault: given(/^session\/new$/, (servers) => servers.filter(({ type }) => type !== undefined)),
    found: ['acp-mcp-stdio', 'acp-mcp-all'],
  },
  'uses one server only': { fault: given(ANY, (servers) => servers.slice(0, 1)), found: ['acp-mcp-all'] },
  'starts servers without arguments': {
    fault: given(ANY, (servers) =>
      servers.map((one) => (Array.isArray(one.args) ? { ...one, args: one.args.slice(0, 1) } : one)),
    ),
    found: ['acp-mcp-stdio-arguments'],
  },
  'starts servers without variables': {
    fault: given(ANY, (servers) => servers.map((one) => (one.env === undefined ? one : { ...one, env: [] }))),
    found: ['acp-mcp-stdio-variables'],
  },
  'asks servers without headers': {
    fault: given(ANY, (servers) => servers.map((one) => (one.headers === undefined ? one : { ...one, headers: [] }))),
    found: ['acp-mcp-http', 'acp-mcp-sse'],
  },
  'forgets the servers of a loaded session': {
    fault: given(/^session\/(?:load|resume)$/, () => []),
    found: ['acp-mcp-load', 'acp-mcp-resume'],
  },
};
