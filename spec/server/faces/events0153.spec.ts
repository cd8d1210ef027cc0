import type { EventMsg, TurnItem } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import { adaptTo0153, events0153, placeMsgs } from '../../../src/server/faces/events0153';
import { marbles } from '../../support/marbles';

const event = (msg: EventMsg, more: Partial<CodexEvent> = {}): CodexEvent => ({
  kind: 'event',
  callId: 'c',
  threadId: 'T',
  turnId: '1',
  id: '1',
  msg,
  ...more,
});

const deltas = (...msgs: EventMsg[]): Event => ({
  kind: 'deltas',
  callId: 'c',
  threadId: 'T',
  turnId: '1',
  id: '1',
  msgs,
});

const op: Op = {
  kind: 'turn',
  callId: 'c',
  eventId: '1',
  thread: { start: {} },
  askable: true,
  input: [
    { type: 'text', text: 'hi' },
    { type: 'image', url: 'data:' },
    { type: 'localImage', path: 'a.png' },
  ],
};

const configured = (mcp_servers?: string[]): EventMsg => ({
  type: 'session_configured',
  session_id: 'T',
  model: 'm',
  model_provider_id: 'p',
  approval_policy: 'never',
  sandbox_mode: 'read-only',
  cwd: '/w',
  history_log_id: 0,
  history_entry_count: 0,
  ...(mcp_servers && { mcp_servers }),
});

const start: EventMsg = { type: 'task_started', model_context_window: 9 };

const complete: EventMsg = { type: 'task_complete', last_agent_message: 'hi' };

const delta = (text: string, item_id = 'm'): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id });

const message = (text: string): EventMsg => ({ type: 'agent_message', message: text });

const begun = (item: TurnItem, ms: number): EventMsg => ({ type: 'item_started', item, started_at_ms: ms });

const done = (item: TurnItem, ms: number): EventMsg => ({ type: 'item_completed', item, completed_at_ms: ms });

const answer = (id: string, text: string): TurnItem => ({
  type: 'AgentMessage',
  id,
  content: [{ type: 'Text', text }],
});

const thought = (id: string, ...summary_text: string[]): TurnItem => ({
  type: 'Reasoning',
  id,
  summary_text,
  raw_content: [],
});

/** Each look at the clock is a second later than the one before; ids are `i0`, `i1`, … */
const adapter = () => {
  let [seconds, ids] = [100, 0];
  return events0153({ now: () => 1000 * seconds++, newId: () => `i${ids++}` });
};

const outputOf = (inputs: readonly (Op | Event)[]): readonly Event[] => {
  const { initial, receiveOp, receiveEvent } = adapter();
  return inputs.reduce<{ state: typeof initial; output: readonly Event[] }>(
    ({ state, output }, input) => {
      if (input.kind === 'turn') return { state: receiveOp(state, input), output };
      const next = receiveEvent(state, input as Event);
      return { state: next.state, output: [...output, ...next.output] };
    },
    { state: initial, output: [] },
  ).output;
};

const msgsOf = (...msgs: EventMsg[]): readonly EventMsg[] =>
  outputOf(msgs.map((msg) => event(msg))).flatMap((one) => (one.kind === 'event' ? [one.msg] : []));

describe('events0153', () => {
  it('shows the input when the turn starts, and the times of the turn', () => {
    const item: TurnItem = {
      type: 'UserMessage',
      id: 'i0',
      content: [{ type: 'text', text: 'hi', text_elements: [] }],
    };
    const input: EventMsg = {
      type: 'user_message',
      message: 'hi',
      images: ['data:'],
      local_images: ['a.png'],
      text_elements: [],
    };
    const times = { completed_at: 104, duration_ms: 4000, time_to_first_token_ms: 3000 };
    expect(outputOf([op, event(start), event(delta('h')), event(complete)])).toEqual([
      event({ ...start, started_at: 100, collaboration_mode_kind: 'default' } as EventMsg),
      event(begun(item, 101_000)),
      event(done(item, 102_000)),
      event(input),
      event(begun(answer('m', ''), 104_000)),
      event(delta('h')),
      event({ ...complete, ...times, completed_at: 105, duration_ms: 5000 } as EventMsg),
    ]);
  });

  it('shows when a turn was stopped, also one that never started', () => {
    expect(msgsOf({ type: 'turn_aborted', reason: 'interrupted' })).toEqual([
      { type: 'turn_aborted', reason: 'interrupted', completed_at: 100, duration_ms: 0 },
    ]);
  });

  it('gives an event the id of its turn as its turn', () => {
    expect(outputOf([event(message('a'), { turnId: 'uuid', id: '7' })])).toMatchObject([
      { turnId: '7' },
      { turnId: '7' },
      { turnId: '7', id: '7' },
    ]);
  });

  describe('of the MCP servers of a thread', () => {
    const startup = (ready: string[], ...failed: { server: string; error: string }[]) =>
      event({ type: 'mcp_startup_complete', ready, failed, cancelled: [] }, { id: '' });

    it('reports at once that there are none', () => {
      expect(outputOf([event(configured(), { id: '' })])).toMatchObject([
        { msg: configured() },
        { ...startup([]), turnId: '' },
      ]);
    });

    it('reports which have started once the turn goes on', () => {
      const warning: EventMsg = { type: 'warning', message: 'MCP client for `a` failed to start: it is gone' };
      const other: EventMsg = { type: 'warning', message: 'slow' };
      const output = outputOf([
        event(configured(['a', 'b'])),
        event(warning),
        event(other),
        deltas(delta('x'), delta('y')),
      ]);
      expect(output.slice(0, 4)).toEqual([
        event(configured(['a', 'b'])),
        event(warning),
        event(other),
        startup(['b'], { server: 'a', error: 'it is gone' }),
      ]);
    });
  });

  describe('of messages', () => {
    it('starts an item with its first delta and completes it with its text', () => {
      expect(
        outputOf([deltas(delta('a'), delta('b')), deltas(delta('c'), delta('d')), event(message('abcd'))]),
      ).toEqual([
        event(begun(answer('m', ''), 101_000)),
        deltas(delta('a'), delta('b')),
        deltas(delta('c'), delta('d')),
        event(done(answer('m', 'abcd'), 102_000)),
        event(message('abcd')),
      ]);
    });

    it('starts another item in the middle of deltas that arrived together', () => {
      expect(outputOf([deltas(delta('a'), delta('b'), delta('c', 'n'))]).slice(1)).toEqual([
        deltas(delta('a'), delta('b')),
        event(begun(answer('n', ''), 102_000)),
        event(delta('c', 'n')),
      ]);
    });

    it('shows a message without deltas as an item of its own', () => {
      expect(msgsOf(message('a'))).toEqual([
        begun(answer('i0', ''), 100_000),
        done(answer('i0', 'a'), 101_000),
        message('a'),
      ]);
    });
  });

  describe('of reasoning', () => {
    const section: EventMsg = { type: 'agent_reasoning_section_break', item_id: 'r' };
    const think = (text: string): EventMsg => ({ type: 'agent_reasoning_delta', delta: text, item_id: 'r' });
    const whole = (text: string): EventMsg => ({ type: 'agent_reasoning', text });

    it('counts the parts of a summary, and completes the item with all of them before the first', () => {
      expect(msgsOf(section, think('a'), think('b'), section, think('c'), whole('ab'), whole('c'))).toEqual([
        begun(thought('r'), 101_000),
        { ...section, summary_index: 0 },
        { ...think('a'), summary_index: 0 },
        { ...think('b'), summary_index: 0 },
        { ...section, summary_index: 1 },
        { ...think('c'), summary_index: 1 },
        done(thought('r', 'ab', 'c'), 102_000),
        whole('ab'),
        whole('c'),
      ]);
    });

    it('shows a part without deltas as an item of its own', () => {
      expect(msgsOf(whole('a'))).toEqual([
        begun(thought('i0'), 100_000),
        done(thought('i0', 'a'), 101_000),
        whole('a'),
      ]);
    });

    it('starts an item with raw reasoning, which has no parts', () => {
      const raw: EventMsg = { type: 'agent_reasoning_raw_content_delta', delta: 'x', item_id: 'r' };
      expect(msgsOf(raw, whole('a'))).toEqual([
        begun(thought('r'), 101_000),
        raw,
        done(thought('r', 'a'), 102_000),
        whole('a'),
      ]);
    });
  });

  it('shows with the end of a command what it was', () => {
    const command = { command: ['ls'], cwd: '/w', parsed_cmd: [] };
    const begin: EventMsg = { type: 'exec_command_begin', call_id: 'x', ...command };
    const end: EventMsg = {
      type: 'exec_command_end',
      call_id: 'x',
      stdout: 'a',
      stderr: '',
      aggregated_output: 'a',
      exit_code: 0,
      duration: { secs: 0, nanos: 1 },
      formatted_output: 'a',
    };
    expect(msgsOf(begin, end, { ...end, call_id: 'y', exit_code: 1 })).toEqual([
      { ...begin, started_at_ms: 100_000 },
      { ...end, ...command, status: 'completed', completed_at_ms: 101_000 },
      {
        ...end,
        call_id: 'y',
        exit_code: 1,
        command: [],
        cwd: '',
        parsed_cmd: [],
        status: 'failed',
        completed_at_ms: 102_000,
      },
    ]);
  });

  it('adds the window of the model to a token count', () => {
    const usage = {
      input_tokens: 1,
      cached_input_tokens: 0,
      output_tokens: 1,
      reasoning_output_tokens: 0,
      total_tokens: 2,
    };
    const count: EventMsg = { type: 'token_count', ...usage };
    expect(msgsOf(count, start, count).filter(({ type }) => type === 'token_count')).toEqual([
      { ...count, model_context_window: null },
      { ...count, model_context_window: 9 },
    ]);
  });

  describe('of patches', () => {
    const changes = { '/w/a': { add: { content: 'a' } } };
    const ask: EventMsg = { type: 'apply_patch_approval_request', call_id: 'p', changes };
    const begin = (auto_approved: boolean): EventMsg => ({
      type: 'patch_apply_begin',
      call_id: 'p',
      auto_approved,
      changes,
    });
    const end = (success: boolean): EventMsg => ({
      type: 'patch_apply_end',
      call_id: 'p',
      stdout: 'ok',
      stderr: '',
      success,
    });
    const item = (more: object): TurnItem => ({ type: 'FileChange', id: 'p', changes, ...more });
    const declined: Event = { kind: 'declined', callId: 'c', what: 'the patch', question: 4 };

    it.each([
      [true, 'completed'],
      [false, 'failed'],
    ] as const)('shows one whose success is %s with what it was', (success, status) => {
      expect(msgsOf(begin(true), end(success))).toEqual([
        begun(item({ auto_approved: true }), 100_000),
        begin(true),
        done(item({ status, stdout: 'ok', stderr: '' }), 101_000),
        { ...end(success), changes, status },
      ]);
    });

    it('begins before the question, once, and the question goes with the request only', () => {
      expect(outputOf([event(ask, { question: 4 }), event(begin(false)), event(end(true))])).toEqual([
        event(begun(item({ auto_approved: false }), 100_000)),
        event(begin(false)),
        event(ask, { question: 4 }),
        event(done(item({ status: 'completed', stdout: 'ok', stderr: '' }), 101_000)),
        event({ ...end(true), changes, status: 'completed' } as EventMsg),
      ]);
    });

    it('ends if it was declined', () => {
      const stderr = 'patch rejected by user';
      const last = {
        type: 'patch_apply_end',
        call_id: 'p',
        stdout: '',
        stderr,
        success: false,
        changes,
        status: 'declined',
      };
      expect(outputOf([event(ask, { question: 4 }), { ...declined, question: 5 }, declined]).slice(3)).toEqual([
        { ...declined, question: 5 },
        event(done(item({ status: 'declined', stdout: '', stderr }), 101_000)),
        event(last as EventMsg),
        declined,
      ]);
    });

    it('has no question any more once it has begun', () => {
      expect(outputOf([event(ask, { question: 4 }), event(begin(false)), declined]).slice(3)).toEqual([declined]);
    });
  });

  it('passes the other events, and keeps nothing of a turn that is over', () => {
    const { initial, receiveOp, receiveEvent } = adapter();
    const others: Event[] = [
      { kind: 'rejected', callId: 'c', message: 'no' },
      { kind: 'done', callId: 'c', threadId: 'T' },
      event({ type: 'error', message: 'down' }),
    ];
    expect(outputOf(others)).toEqual(others);
    const open = receiveOp(initial, op);
    expect(receiveOp(initial, { kind: 'interrupt', callId: 'c' })).toBe(initial);
    expect([...open.keys()]).toEqual(['c']);
    expect(receiveEvent(open, event(complete)).state).toEqual(new Map());
    expect(receiveEvent(open, others[0] as Event).state).toEqual(new Map());
  });
});

describe('adaptTo0153', () => {
  it(
    'gives an engine these events',
    marbles(({ cold, expectObservable }) => {
      const deps = { now: () => 5000, newId: () => 'i' };
      const engine = adaptTo0153(deps)(
        () => () => cold('-a|', { a: event({ type: 'turn_aborted', reason: 'interrupted' }) }),
      );
      const never = () => {
        throw new Error('nobody is asked');
      };
      expectObservable(engine(never)(cold('|'))).toBe('-a|', {
        a: event({ type: 'turn_aborted', reason: 'interrupted', completed_at: 5, duration_ms: 0 }),
      });
    }),
  );
});

describe('placeMsgs', () => {
  const about = { callId: 'c', threadId: 'T', id: 'u' };

  const delta = (text: string): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id: 'i' });

  const warning: EventMsg = { type: 'warning', message: 'w' };

  const asking: EventMsg = { type: 'exec_approval_request', call_id: 'x', command: ['ls'], cwd: '/' };

  const update: EventMsg = { type: 'mcp_startup_update', server: 's', status: { state: 'ready' } };

  const startup: EventMsg = { type: 'mcp_startup_complete', ready: [], failed: [], cancelled: [] };

  const event = (msg: EventMsg, own: object = {}): Event => ({ kind: 'event', ...about, turnId: 'u', msg, ...own });

  const deltas = (...msgs: EventMsg[]): Event => ({ kind: 'deltas', ...about, turnId: 'u', msgs });

  it.each<[string, EventMsg[], Event[]]>([
    ['nothing                     ', [], []],
    ['a message under the turn    ', [warning], [event(warning)]],
    ['one delta as an event       ', [delta('a')], [event(delta('a'))]],
    ['deltas in a row together    ', [delta('a'), delta('b')], [deltas(delta('a'), delta('b'))]],
    [
      'the rows beside other events',
      [delta('a'), delta('b'), warning, delta('c')],
      [deltas(delta('a'), delta('b')), event(warning), event(delta('c'))],
    ],
    ['what belongs to the thread  ', [startup], [event(startup, { id: '' })]],
    ['what a server of it does    ', [update], [event(update, { id: '' })]],
  ])('places %s', (_, msgs, events) => {
    expect(placeMsgs(about, msgs)).toEqual(events);
  });

  it('gives the question to the request for an approval only', () => {
    expect(placeMsgs({ ...about, question: 7 }, [warning, asking])).toEqual([
      event(warning),
      event(asking, { question: 7 }),
    ]);
  });
});
