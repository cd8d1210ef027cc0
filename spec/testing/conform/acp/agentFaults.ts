/** Faults of agents, each with the cases that find it. */
import { toObject } from '../../../../src/protocol/jsonrpc/json';
import { before, changed, is, type Json, message, type Planted, read, sent, stopped, withResult } from '../planting';
import type { Fault } from '../servers';

/** Changes updates of a kind. */
const updated = (kind: string, change: (update: Json) => Json[]): Fault =>
  sent((text, { params, ...rest }) => {
    const { update, ...own } = toObject(params);
    return toObject(update).sessionUpdate === kind
      ? change(toObject(update)).map((one) => JSON.stringify({ ...rest, params: { ...own, update: one } }))
      : [text];
  });

const opened = (change: (result: Json) => Json): Fault => withResult('session/new', change);
const listed = (change: (session: Json) => Json): Fault =>
  withResult('session/list', ({ sessions, ...result }) => ({ ...result, sessions: (sessions as Json[]).map(change) }));

/** A result for what the agent refuses. */
const taken = (method: string, params: Json, result: Json = {}): Fault =>
  changed(method, ({ error, ...response }) => (error === undefined ? response : { ...response, result }), params);

/** Found in agents. */
export const AGENT_FAULTS: Readonly<Record<string, Planted>> = {
  'offers a version of tomorrow': {
    fault: withResult('initialize', (result, { protocolVersion }) => ({
      ...result,
      protocolVersion: protocolVersion === 99 ? 100 : 1,
    })),
    found: ['acp-initialize-version-99'],
  },
  'refuses later versions': {
    fault: changed(
      'initialize',
      ({ result, ...response }) => ({ ...response, error: { code: -32602, message: 'Unsupported' } }),
      { protocolVersion: 2 },
    ),
    found: ['acp-initialize-version-2'],
  },
  'needs capabilities': {
    fault: (good) => (line) =>
      is(line, 'initialize') && !('clientCapabilities' in toObject(read(line).params))
        ? [message({ id: read(line).id, error: { code: -32602, message: 'x' } })]
        : good(line),
    found: ['acp-initialize-capabilities-missing'],
  },
  'has no name': {
    fault: withResult('initialize', ({ agentInfo, ...result }) => result),
    found: ['acp-initialize-agent-info'],
  },
  'logs in by a terminal': {
    fault: withResult('initialize', (result) => ({
      ...result,
      authMethods: [{ id: 'a', name: 'A', type: 'terminal' }],
    })),
    found: ['acp-no-terminal-login'],
  },
  'has two logins of one name': {
    fault: withResult('initialize', (result) => ({
      ...result,
      authMethods: [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    })),
    found: ['acp-authenticate-ids-differ'],
  },
  'logs in by anything': {
    fault: taken('authenticate', { methodId: 'no-such-auth-method-4711' }),
    found: ['acp-authenticate-unknown'],
  },
  'has a wrong shape of capabilities': {
    fault: withResult('initialize', (result) => ({
      ...result,
      agentCapabilities: { ...toObject(result.agentCapabilities), mcpCapabilities: { http: 'yes' } },
    })),
    found: ['acp-published-shapes'],
  },
  'answers notifications': {
    fault: before('_example.com/note', message({ id: null, error: { code: -32601, message: 'x' } })),
    found: ['acp-notification-custom'],
  },
  'answers cancellations': {
    fault: before('session/cancel', message({ id: null, error: { code: -32602, message: 'x' } })),
    found: [
      'acp-notification-without-params',
      'acp-notification-bad-params',
      'acp-cancel-unknown-session',
      'acp-cancel-at-once',
      'acp-cancel-twice',
      'acp-cancel-then-prompt',
      'acp-cancel-idle',
      'acp-cancel-other-session',
    ],
  },
  'does whatever it is asked': {
    fault: taken('_example.com/none', {}),
    found: ['acp-unknown-method-custom'],
  },
  'prints what it does': {
    fault: before('session/list', 'listing'),
    found: ['acp-stdout-only-messages'],
  },
  'answers twice': {
    fault: (good) => (line) => good(line).flatMap((text) => (is(line, 'session/set_mode') ? [text, text] : [text])),
    found: ['acp-one-response-for-each-request'],
  },
  'mixes up ids': {
    fault: (good) => (line) => good(line).map((text) => text.replace('"id":-7', '"id":-8')),
    found: ['acp-id-negative', 'acp-responses-have-ids-of-requests'],
  },
  'has one session for all': {
    fault: opened((result) => ({ ...result, sessionId: 'session' })),
    found: ['EVERY', 'acp-session-new'],
  },
  'works in relative folders': {
    fault: taken('session/new', { cwd: 'folder' }, { sessionId: 'x' }),
    found: ['acp-session-new-cwd-relative'],
  },
  'refuses what it does not know': {
    fault: (good) => (line) =>
      is(line, 'session/new') && '_meta' in toObject(read(line).params)
        ? [message({ id: read(line).id, error: { code: -32602, message: 'x' } })]
        : good(line),
    found: ['acp-session-new-meta'],
  },
  'has a mode that is none': {
    fault: opened((result) => ({ ...result, modes: { ...toObject(result.modes), currentModeId: 'none' } })),
    found: ['acp-current-mode-is-available', 'acp-session-set-mode'],
  },
  'has an option without its value': {
    fault: opened((result) => ({
      ...result,
      configOptions: (result.configOptions as Json[]).map((one) => ({ ...one, currentValue: 'none' })),
    })),
    found: ['acp-config-options-have-values', 'acp-session-set-config-option'],
  },
  'has boolean options': {
    fault: opened((result) => ({
      ...result,
      configOptions: [...(result.configOptions as Json[]), { type: 'boolean', id: 'b', name: 'B', currentValue: true }],
    })),
    found: ['acp-no-boolean-options', 'acp-session-set-config-option'],
  },
  'has categories of its own': {
    fault: opened((result) => ({
      ...result,
      configOptions: (result.configOptions as Json[]).map((one) => ({ ...one, category: 'mine' })),
    })),
    found: ['acp-config-option-categories'],
  },
  'takes any mode': {
    fault: taken('session/set_mode', { modeId: 'no-such-mode-4711' }),
    found: ['acp-session-set-mode-unknown'],
  },
  'forgets its options': {
    fault: withResult('session/set_config_option', () => ({ configOptions: [] })),
    found: ['acp-session-set-config-option'],
  },
  'has commands with a slash': {
    fault: updated('available_commands_update', (one) => [
      { ...one, availableCommands: [{ name: '/plan', description: 'Plans' }] },
    ]),
    found: ['acp-command-names'],
  },
  'lists relative folders': {
    fault: listed((session) => ({ ...session, cwd: 'work' })),
    found: ['acp-absolute-paths'],
  },
  'lists every session': {
    fault: (good) => (line) =>
      is(line, 'session/list') && typeof toObject(read(line).params).cwd === 'string'
        ? good(JSON.stringify({ ...read(line), params: {} }))
        : good(line),
    found: ['acp-session-list-nowhere'],
  },
  'takes any cursor': {
    fault: taken('session/list', { cursor: 'no-such-cursor' }, { sessions: [] }),
    found: ['acp-session-list-bad-cursor'],
  },
  'keeps what was deleted': {
    fault: (good) => (line) =>
      good(line.includes('"sessionId":"session-') ? line.replace('session/delete', 'session/set_mode') : line).map(
        (text) =>
          is(line, 'session/delete') && line.includes('"session-') ? message({ id: read(line).id, result: {} }) : text,
      ),
    found: ['acp-session-delete-then-list'],
  },
  'says what it has deleted': {
    fault: withResult('session/delete', () => ({ deleted: true })),
    found: ['acp-session-delete'],
  },
  'goes on after close': {
    fault: (good) => (line) =>
      is(line, 'session/close') && !line.includes('4711') && 'string' === typeof toObject(read(line).params).sessionId
        ? [message({ id: read(line).id, result: {} })]
        : good(line),
    found: ['acp-session-close-then-prompt', 'acp-session-close-while-prompt'],
  },
  'loads what is not there': {
    fault: taken('session/load', { sessionId: 'no-such-session-4711' }),
    found: ['acp-session-load-unknown-session', 'acp-session-load-bad-no-cwd'],
  },
  'replays nothing': {
    fault: updated('user_message_chunk', () => []),
    found: ['acp-session-load-replays'],
  },
  'replays at resume': {
    fault: (good) => (line) => good(line.replace('"session/resume"', '"session/load"')),
    found: ['acp-session-resume-is-silent'],
  },
  'has reasons of its own': {
    fault: stopped((reason) => (reason === 'end_turn' ? 'done' : reason)),
    found: ['EVERY', 'acp-prompt', 'acp-published-shapes'],
  },
  'calls the end of a cancelled turn its end': {
    fault: stopped(() => 'end_turn'),
    found: ['acp-cancel-at-once', 'acp-cancel-then-prompt', 'acp-cancel-twice', 'acp-session-close-while-prompt'],
  },
  'fails when it is cancelled': {
    fault: sent((text, { id, result }) =>
      toObject(result).stopReason === 'cancelled'
        ? [message({ id, error: { code: -32603, message: 'aborted' } })]
        : [text],
    ),
    found: [
      'acp-cancel-at-once',
      'acp-cancel-request',
      'acp-cancel-then-prompt',
      'acp-cancel-twice',
      'acp-session-close-while-prompt',
      'acp-turns-end',
    ],
  },
  'cancels every session': {
    fault: (good) => {
      const ids: unknown[] = [];
      return (line) => {
        const answers = good(line);
        ids.push(...answers.flatMap((text) => toObject(read(text).result).sessionId ?? []));
        if (!is(line, 'session/cancel')) return answers;
        return [
          ...answers,
          ...ids.flatMap((sessionId) => good(message({ method: 'session/cancel', params: { sessionId } }))),
        ];
      };
    },
    found: ['acp-cancel-other-session'],
  },
  'remembers a cancellation': {
    fault: (good) => {
      let isCancelled = false;
      return (line) => {
        if (is(line, 'session/cancel')) isCancelled = true;
        return good(line).map((text) => (isCancelled ? text.replace('"end_turn"', '"cancelled"') : text));
      };
    },
    found: ['acp-cancel-then-prompt', 'acp-cancel-idle', 'acp-cancel-other-session'],
  },
  'takes no links': {
    fault: (good) => (line) =>
      is(line, 'session/prompt') && line.includes('https://example.com/page')
        ? [message({ id: read(line).id, error: { code: -32602, message: 'x' } })]
        : good(line),
    found: ['acp-prompt-resource-link-elsewhere'],
  },
  'is silent': { fault: updated('agent_message_chunk', () => []), found: ['acp-prompt-says-something'] },
  'leaves tools running': {
    fault: updated('tool_call_update', () => []),
    found: ['acp-turns-end'],
  },
  'has updates of unknown tools': {
    fault: updated('tool_call', () => []),
    found: ['acp-tool-calls-are-reported'],
  },
  'begins a tool twice': {
    fault: updated('tool_call', (one) => [one, one]),
    found: ['acp-tool-calls-begin-once'],
  },
  'has relative places': {
    fault: updated('tool_call', (one) => [{ ...one, locations: [{ path: 'a' }] }]),
    found: ['acp-absolute-paths'],
  },
  'updates other sessions': {
    fault: sent((text) =>
      text.includes('agent_message_chunk')
        ? [text, text.replace(/"sessionId":"[^"]*"/, '"sessionId":"other"')]
        : [text],
    ),
    found: ['acp-known-sessions'],
  },
  'reads files of a client that has none to offer': {
    fault: sent((text, { params }) => {
      const { sessionId } = toObject(params);
      return text.includes('agent_message_chunk')
        ? [message({ id: 'f', method: 'fs/read_text_file', params: { sessionId, path: '/a' } }), text]
        : [text];
    }),
    found: ['acp-only-declared-methods'],
  },
  'asks for a permission without options': {
    fault: sent((text, { params }) => {
      const { sessionId } = toObject(params);
      const toolCall = { toolCallId: 'call-1' };
      return text.includes('agent_message_chunk')
        ? [
            message({ id: 'p', method: 'session/request_permission', params: { sessionId, toolCall, options: [] } }),
            text,
          ]
        : [text];
    }),
    found: ['acp-permission-options-differ'],
  },
  'has methods of its own': {
    fault: sent((text) =>
      text.includes('agent_message_chunk') ? [message({ method: 'agent/message', params: {} }), text] : [text],
    ),
    found: ['acp-methods-of-its-own'],
  },
};
