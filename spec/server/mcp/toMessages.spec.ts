import type { Outgoing } from '../../../src/protocol/jsonrpc/messages';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { Events } from '../../../src/server/mcp/toMessages';
import { toMessages } from '../../../src/server/mcp/toMessages';
import { THREAD } from '../../support/mcp';
import { legacy, modern, outputsOf } from '../../support/mcpCalls';

const deps = {
  face: faceOf('union', '0.1.0'),
  events: 'auto' as Events,
  threadIdInText: 'auto' as const,
  sealer: { seal: () => 'sealed', open: () => ({ callId: '', digest: '', keys: [], misread: [], expires: 0 }) },
  expiresAt: () => 100,
};

const old = outputsOf({ ...legacy, batch: { size: 2 } });
const now = outputsOf({ ...modern, batch: { size: 2 } });
const event = (msg: object): Outgoing => ({
  kind: 'notification',
  method: 'codex/event',
  params: { _meta: { requestId: 1, threadId: THREAD }, id: '1', msg: msg as Record<string, unknown> },
});
const started = event({ type: 'task_started', model_context_window: null, turn_id: 'turn' });
const last = event({ type: 'task_complete', last_agent_message: 'done', turn_id: 'turn' });

describe('toMessages', () => {
  it.each<[keyof typeof old, Outgoing[]]>([
    ['begun', []],
    ['resumed', []],
    ['started', [started]],
    ['delta', [event({ type: 'agent_message_delta', delta: 'text', item_id: 'm' })]],
    [
      'deltas',
      [
        {
          kind: 'notifications',
          method: 'codex/event',
          head: `{"_meta":{"requestId":1,"threadId":"${THREAD}"},"id":"1","msg":{"type":"agent_message_delta","delta":`,
          values: ['"text"', '"more"'],
          tail: ',"item_id":"m"}}',
        },
      ],
    ],
    ['replayed', [started]],
    ['missed', []],
    ['missedLast', [last]],
    [
      'question',
      [
        {
          kind: 'request',
          id: 7,
          method: 'elicitation/create',
          params: expect.objectContaining({ threadId: THREAD, codex_mcp_tool_call_id: '1' }),
        },
      ],
    ],
    [
      'withdrawn',
      [7, 8].map((requestId) => ({
        kind: 'notification',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'late' },
      })),
    ],
    ['cancelled', [{ kind: 'noResponse', batch: { size: 2 } }]],
    [
      'finished',
      [
        {
          kind: 'response',
          id: 1,
          batch: { size: 2 },
          result: {
            content: [{ type: 'text', text: 'done' }],
            structuredContent: { threadId: THREAD, content: 'done' },
          },
        },
      ],
    ],
    [
      'unknown',
      [
        {
          kind: 'response',
          id: 1,
          batch: { size: 2 },
          error: { code: -32602, message: 'Invalid params: the call that params.requestState names is over' },
        },
      ],
    ],
    [
      'busy',
      [
        {
          kind: 'response',
          id: 1,
          batch: { size: 2 },
          error: { code: -32600, message: 'Invalid Request: this call is being continued already' },
        },
      ],
    ],
    [
      'unaskable',
      [
        {
          kind: 'response',
          id: 1,
          batch: { size: 2 },
          error: {
            code: -32021,
            message: expect.stringMatching(/^Missing required client capability: elicitation; /),
            data: { requiredCapabilities: { elicitation: { form: {} } } },
          },
        },
      ],
    ],
  ])('makes messages of %s for a legacy client', (name, messages) => {
    expect(toMessages(deps)(old[name])).toEqual(messages);
  });

  it('asks the model of a client by sampling/createMessage', () => {
    const { call } = old.question;
    const event = { kind: 'sampling', callId: 'a', threadId: THREAD, question: 7, params: { maxTokens: 1 } } as const;
    expect(toMessages(deps)({ kind: 'sampling', call, event })).toEqual([
      { kind: 'request', id: 7, method: 'sampling/createMessage', params: { maxTokens: 1 } },
    ]);
  });

  it('sends no deltas that no request waits for', () => {
    expect(toMessages(deps)({ ...now.deltas, isMissed: true })).toEqual([]);
  });

  it('leaves out the end of a turn that failed where the face shows an error only', () => {
    const failed = { ...old.missedLast, delivery: 'live', isFailure: true } as const;
    expect(toMessages(deps)(failed)).toEqual([last]);
    expect(toMessages({ ...deps, face: faceOf('0.28', '0.1.0') })(failed)).toEqual([]);
  });

  it.each<[keyof typeof now, Outgoing[]]>([
    ['started', [started]],
    ['missed', []],
    ['missedLast', []],
    ['withdrawn', []],
    [
      'suspended',
      [
        {
          kind: 'response',
          id: 1,
          batch: { size: 2 },
          result: {
            resultType: 'input_required',
            inputRequests: { 'approval-7': { method: 'elicitation/create', params: expect.anything() } },
            requestState: 'sealed',
            _meta: { 'io.modelcontextprotocol/serverInfo': deps.face.serverInfo },
          },
        },
      ],
    ],
  ])('makes messages of %s for a client of 2026-07-28', (name, messages) => {
    expect(toMessages(deps)(now[name])).toEqual(messages);
  });

  it('sends no event where events are switched off', () => {
    expect(toMessages({ ...deps, events: 'none' })(old.started)).toEqual([]);
    expect(toMessages({ ...deps, events: 'none' })(old.missedLast)).toEqual([]);
    expect(toMessages({ ...deps, events: 'none' })(old.deltas)).toEqual([]);
  });

  it('sends no event to a client that would drop it, unless it is asked to, or shows an old release', () => {
    const python = { ...legacy.era, client: { name: 'mcp', version: '0.1.0' } };
    const { started: first, deltas, missedLast } = outputsOf({ ...legacy, era: python });
    const sent = (changed: Partial<typeof deps>) =>
      [first, deltas, missedLast].map((output) => toMessages({ ...deps, ...changed })(output).length);
    expect(sent({})).toEqual([0, 0, 0]);
    expect(sent({ events: 'codex' })).toEqual([1, 1, 1]);
    expect(sent({ face: faceOf('0.28', '0.1.0') })).toEqual([1, 1, 1]);
    expect(sent({ face: faceOf('0.153', '0.1.0') })).toEqual([1, 1, 1]);
  });
});
