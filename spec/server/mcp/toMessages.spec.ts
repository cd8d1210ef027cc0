import * as fc from 'fast-check';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { toJson } from '../../../src/protocol/jsonrpc/json';
import type { Outgoing } from '../../../src/protocol/jsonrpc/messages';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { RequestState } from '../../../src/server/mcp/methods/requestState';
import { deltaTexts, type Events, toInputRequired, toMessages, toQuestion } from '../../../src/server/mcp/toMessages';
import { anyText } from '../../support/hostile';
import { THREAD, turnEventOf } from '../../support/mcp';
import { callOf, events, legacy, modern, op, outputsOf } from '../../support/mcpCalls';

const deps = {
  face: faceOf('union', '0.1.0'),
  events: 'auto' as Events,
  threadIdInText: 'auto' as const,
  sealer: { seal: () => 'sealed', open: () => ({ callId: '', digest: '', keys: [], misread: [], expires: 0 }) },
  workMs: () => 0,
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

/** As a face that names its thread, and puts members before and behind the delta. */
const shown = ({ type, ...rest }: EventMsg): object => ({ thread_id: 't"delta":""', type, ...rest, turn_id: 'u' });

const text = fc.oneof(anyText(), fc.constantFrom('', '"delta":""', '\\', '\u2028', '\ud800'));

const msg = fc.oneof(
  fc.record({
    type: fc.constant('agent_message_delta' as const),
    delta: text,
    item_id: fc.constantFrom('a', 'b', '"'),
  }),
  fc.record({ type: fc.constant('agent_reasoning_delta' as const), delta: text, item_id: fc.constantFrom('a', 'b') }),
  fc.record({ type: fc.constant('agent_reasoning_section_break' as const), item_id: fc.constantFrom('a', 'b') }),
);

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
            structuredContent: { threadId: THREAD, content: 'done', changes: [], commands: 0, notDone: [] },
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

  it('leaves out the end of a turn that failed if the face shows an error only', () => {
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

  it('sends no event if events are switched off', () => {
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

describe('toInputRequired', () => {
  const face = faceOf('union', '0.1.0');

  const seal = jest.fn((state: RequestState) => JSON.stringify(state));

  const deps = {
    face,
    sealer: { seal, open: () => ({ callId: '', digest: '', keys: [], misread: [], expires: 0 }) },
    expiresAt: () => 100,
  };

  const form = turnEventOf(
    op,
    {
      type: 'elicitation_request',
      server_name: 'mail',
      message: 'Who?',
      requested_schema: { type: 'object', properties: { name: { type: 'string' } } },
    },
    8,
  );

  describe('toInputRequired', () => {
    it('answers with every open question, under a name that determines how its answer is read', () => {
      const call = callOf({ ...modern, id: 'two', batch: { size: 1 }, misread: ['approval-7'] });
      const questions = new Map([
        [7, events.question],
        [8, form as typeof events.question],
      ]);
      expect(toInputRequired(deps, { kind: 'suspended', call, questions })).toEqual({
        kind: 'response',
        id: 'two',
        batch: { size: 1 },
        result: {
          resultType: 'input_required',
          inputRequests: {
            'approval-7': {
              method: 'elicitation/create',
              params: toQuestion(face, call.caller.era, events.question),
            },
            'form-8': {
              method: 'elicitation/create',
              params: toQuestion(face, call.caller.era, form as typeof events.question),
            },
          },
          requestState: JSON.stringify({
            callId: 'c',
            digest: 'd',
            keys: ['approval-7', 'form-8'],
            misread: ['approval-7'],
            expires: 100,
          }),
          _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo },
        },
      });
    });
  });

  describe('toQuestion', () => {
    it('shows a question as the face does', () => {
      const params = toQuestion(faceOf('0.28', '0.1.0'), { capabilities: {} }, events.question);
      expect(params).toEqual({
        message: "Allow Codex to run `touch 'a b'` in `/work`?",
        requestedSchema: { type: 'object', properties: {} },
        codex_elicitation: 'exec-approval',
        codex_mcp_tool_call_id: '1',
        codex_event_id: '1',
        codex_call_id: 'c1',
        codex_command: ['touch', 'a b'],
        codex_cwd: '/work',
      });
    });
  });
});

describe('deltaTexts', () => {
  it('is the JSON of each message, whatever texts and items follow each other', () => {
    fc.assert(
      fc.property(fc.array(msg), (msgs) => {
        const texts = deltaTexts(msgs, shown).flatMap(({ head, values, tail }) =>
          values.map((value) => head + value + tail),
        );
        expect(texts).toEqual(msgs.map((one) => toJson(shown(one))));
      }),
    );
  });

  it('asks what a message is to the client once for deltas of one item', () => {
    const asked: EventMsg[] = [];
    const delta = (item_id: string, text: string) => ({ type: 'agent_message_delta', delta: text, item_id }) as const;
    const count = (one: EventMsg) => {
      asked.push(one);
      return one;
    };
    const texts = deltaTexts([delta('a', 'x'), delta('a', 'y'), delta('b', 'z'), delta('b', 'z')], count);
    expect(texts.map(({ values }) => values)).toEqual([
      ['"x"', '"y"'],
      ['"z"', '"z"'],
    ]);
    expect(asked).toEqual([delta('a', ''), delta('b', '')]);
  });
});
