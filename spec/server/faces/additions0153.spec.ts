import type { EventMsg, McpStartupStatus } from '../../../src/protocol/codex/eventMsg';
import { addOne, addStartupBefore } from '../../../src/server/faces/additions0153';
import { newTurn0153, type Turn0153 } from '../../../src/server/faces/turn0153';

const deps = { now: () => 5, newId: () => 'new' };

const turn = newTurn0153();

/** The turn after a message, and what replaces the message. */
const add = (before: Turn0153, msg: EventMsg, own = deps) => addOne({ deps: own, turn: before }, msg);

const started = (item: object) => ({ type: 'item_started', item, started_at_ms: 5 });

const completed = (item: object) => ({ type: 'item_completed', item, completed_at_ms: 5 });

const message = (id: string, text: string) => ({ type: 'AgentMessage', id, content: [{ type: 'Text', text }] });

const reasoning = (id: string, ...summary_text: string[]) => ({ type: 'Reasoning', id, summary_text, raw_content: [] });

describe('the deltas of a message, and the message', () => {
  const delta = { type: 'agent_message_delta', delta: 'd', item_id: 'm' } as const;
  const whole = { type: 'agent_message', message: 'a' } as const;

  it('begin an item with the first delta, and complete it with the message', () => {
    const first = add(turn, delta);
    const open = { ...turn, firstTokenMs: 5, message: { id: 'm', sections: [] } };
    expect(first).toEqual({ turn: open, msgs: [started(message('m', '')), delta] });
    expect(add(first.turn, delta)).toEqual({ turn: open, msgs: [delta] });
    expect(add(first.turn, whole)).toEqual({
      turn: { ...turn, firstTokenMs: 5 },
      msgs: [completed(message('m', 'a')), whole],
    });
  });

  it('begin and complete the item of a message without deltas', () => {
    expect(add(turn, whole)).toEqual({
      turn,
      msgs: [started(message('new', '')), completed(message('new', 'a')), whole],
    });
  });
});

describe('the deltas of reasoning, and its parts', () => {
  const delta = (text: string) => ({ type: 'agent_reasoning_delta', delta: text, item_id: 'r' }) as const;
  const pause = { type: 'agent_reasoning_section_break', item_id: 'r' } as const;
  const raw = { type: 'agent_reasoning_raw_content_delta', delta: 'raw', item_id: 'r' } as const;
  const part = (text: string) => ({ type: 'agent_reasoning', text }) as const;

  /** The turn after these deltas, and their messages. */
  const afterDeltas = (...deltas: EventMsg[]) =>
    deltas.reduce<{ turn: Turn0153; msgs: readonly EventMsg[] }>(
      (all, one) => {
        const added = add(all.turn, one);
        return { turn: added.turn, msgs: [...all.msgs, ...added.msgs] };
      },
      { turn, msgs: [] },
    );

  it('begin an item, and number the parts of its summary', () => {
    expect(afterDeltas(pause, delta('a'), pause, delta('b'), delta('c'), raw)).toEqual({
      turn: { ...turn, firstTokenMs: 5, reasoning: { id: 'r', sections: ['a', 'bc'] } },
      msgs: [
        started(reasoning('r')),
        { ...pause, summary_index: 0 },
        { ...delta('a'), summary_index: 0 },
        { ...pause, summary_index: 1 },
        { ...delta('b'), summary_index: 1 },
        { ...delta('c'), summary_index: 1 },
        raw,
      ],
    });
  });

  it('complete the item with the first whole part, and pass the other parts', () => {
    const open = afterDeltas(pause, delta('a'), pause, delta('b')).turn;
    const first = add(open, part('a'));
    expect(first).toEqual({
      turn: { ...turn, firstTokenMs: 5, partsLeft: 1 },
      msgs: [completed(reasoning('r', 'a', 'b')), part('a')],
    });
    expect(add(first.turn, part('b'))).toEqual({ turn: { ...turn, firstTokenMs: 5 }, msgs: [part('b')] });
  });

  it('begin and complete the item of a part without deltas', () => {
    expect(add(turn, part('a'))).toEqual({
      turn,
      msgs: [started(reasoning('new')), completed(reasoning('new', 'a')), part('a')],
    });
  });
});

describe('times', () => {
  type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

  const late = { now: () => 5_900, newId: () => 'new' };

  const turn = newTurn0153([{ type: 'text', text: 'go' }]);

  const complete: Of<'task_complete'> = { type: 'task_complete', last_agent_message: 'a' };

  describe('the start of a turn', () => {
    it('has the time in seconds, and the message of the user after it', () => {
      const { turn: next, msgs } = add(turn, { type: 'task_started', model_context_window: 7 }, late);
      expect(next).toEqual({ ...turn, startedMs: 5_900, contextWindow: 7 });
      expect(msgs[0]).toEqual({
        type: 'task_started',
        model_context_window: 7,
        started_at: 5,
        collaboration_mode_kind: 'default',
      });
      expect(msgs.slice(1).map(({ type }) => type)).toEqual(['item_started', 'item_completed', 'user_message']);
    });
  });

  describe('the end of a turn', () => {
    const at5 = { completed_at: 5 };
    it.each<[string, Partial<Turn0153>, Of<'task_complete' | 'turn_aborted'>, object]>([
      ['how long it took             ', { startedMs: 900 }, complete, { ...at5, duration_ms: 5_000 }],
      ['no time before its start     ', { startedMs: 9_000 }, complete, { ...at5, duration_ms: 0 }],
      ['no time without a start      ', {}, complete, { ...at5, duration_ms: 0 }],
      [
        'the time to the first token  ',
        { startedMs: 900, firstTokenMs: 1_000 },
        complete,
        { ...at5, duration_ms: 5_000, time_to_first_token_ms: 100 },
      ],
      [
        'not that of a stopped turn   ',
        { startedMs: 900, firstTokenMs: 1_000 },
        { type: 'turn_aborted', reason: 'interrupted' },
        { ...at5, duration_ms: 5_000 },
      ],
    ])('has %s', (_, own, msg, times) => {
      const before = { ...turn, ...own };
      expect(add(before, msg, late)).toEqual({ turn: before, msgs: [{ ...msg, ...times }] });
    });
  });

  describe('a command', () => {
    const begin: Of<'exec_command_begin'> = {
      type: 'exec_command_begin',
      call_id: 'x',
      command: ['ls'],
      cwd: '/',
      parsed_cmd: [],
    };
    const end = (exit_code: number) =>
      ({ type: 'exec_command_end', call_id: 'x', exit_code }) as Of<'exec_command_end'>;
    const about = { command: ['ls'], cwd: '/', parsed_cmd: [] };

    it('names at its end what the command was', () => {
      const begun = add(turn, begin, late);
      expect(begun).toEqual({
        turn: { ...turn, commands: new Map([['x', begin]]) },
        msgs: [{ ...begin, started_at_ms: 5_900 }],
      });
      expect(add(begun.turn, end(0), late)).toEqual({
        turn,
        msgs: [{ ...end(0), ...about, status: 'completed', completed_at_ms: 5_900 }],
      });
    });

    it('ends one that failed, or that was never begun', () => {
      expect(add(turn, end(1), late)).toEqual({
        turn,
        msgs: [{ ...end(1), command: [], cwd: '', parsed_cmd: [], status: 'failed', completed_at_ms: 5_900 }],
      });
    });
  });
});

describe('the start of servers', () => {
  type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

  const turn = newTurn0153([{ type: 'text', text: 'go' }]);

  const configured = (mcp_servers?: string[] | 'reported') =>
    ({ type: 'session_configured', mcp_servers }) as unknown as Of<'session_configured'>;
  const startup = (ready: string[], failed: object[] = []) => ({
    type: 'mcp_startup_complete',
    ready,
    failed,
    cancelled: [],
  });
  const warning = (message: string): Of<'warning'> => ({ type: 'warning', message });

  it('reports at once that there are no servers', () => {
    expect(add(turn, configured())).toEqual({ turn, msgs: [configured(), startup([])] });
  });

  it('reports once which servers have started, when it is known', () => {
    const { turn: starting, msgs } = add(turn, configured(['a', 'b']));
    expect(msgs).toEqual([configured(['a', 'b'])]);
    const failure = warning('MCP client for `b` failed to start: no\nprogram');
    const failed = add(starting, failure);
    expect(failed.msgs).toEqual([failure]);
    const reported = addStartupBefore(failed.turn, 'agent_message');
    expect(reported).toEqual({ turn, msgs: [startup(['a'], [{ server: 'b', error: 'no\nprogram' }])] });
    expect(addStartupBefore(reported.turn, 'agent_message')).toEqual({ turn, msgs: [] });
  });

  it('passes any other warning, and one of a server outside the start', () => {
    const other = add(turn, configured(['a'])).turn;
    expect(add(other, warning('w'))).toEqual({ turn: other, msgs: [warning('w')] });
    const late = warning('MCP client for `a` failed to start: no');
    expect(add(turn, late)).toEqual({ turn, msgs: [late] });
  });

  const update = (server: string, status: McpStartupStatus): Of<'mcp_startup_update'> => ({
    type: 'mcp_startup_update',
    server,
    status,
  });
  const startingOf = (...names: string[]): Turn0153 =>
    names.reduce(
      (before, name) => add(before, update(name, { state: 'starting' })).turn,
      add(turn, configured('reported')).turn,
    );
  const started = (before: Turn0153): Turn0153 => ({ ...before, startedMs: 1 });

  it('waits for servers that are reported one by one, and passes what is reported of each', () => {
    const bad = update('b', { state: 'failed', error: 'no program' });
    const first = add(startingOf('a', 'b'), bad);
    expect(first.msgs).toEqual([bad]);
    expect(addStartupBefore(first.turn, 'task_started').msgs).toEqual([]);
    expect(addStartupBefore(started(first.turn), 'agent_message').msgs).toEqual([]);
    const good = update('a', { state: 'ready' });
    const last = add(started(first.turn), good);
    expect(last.msgs).toEqual([good, startup(['a'], [{ server: 'b', error: 'no program' }])]);
    expect(last.turn).toEqual(started(turn));
    expect(add(last.turn, good)).toEqual({ turn: last.turn, msgs: [good] });
  });

  it('knows all that are reported one by one when the turn starts, not before', () => {
    const { turn: early, msgs } = add(startingOf('a'), update('a', { state: 'cancelled' }));
    expect(msgs).toHaveLength(1);
    expect(addStartupBefore(early, 'task_started').msgs).toEqual([{ ...startup([]), cancelled: ['a'] }]);
    expect(addStartupBefore(startingOf(), 'task_started').msgs).toEqual([startup([])]);
  });

  it.each(['task_complete', 'turn_aborted'] as const)('names those of which it is known before %s', (type) => {
    const half = add(started(startingOf('a', 'b')), update('b', { state: 'ready' })).turn;
    expect(addStartupBefore(half, type).msgs).toEqual([startup(['b'])]);
  });

  it('takes no warning for a report if each server is reported', () => {
    const { turn: next } = add(startingOf('a'), warning('MCP client for `z` failed to start: no'));
    expect(addStartupBefore(next, 'task_complete').msgs).toEqual([startup([])]);
  });

  it.each([
    ['task_started', []],
    ['warning', []],
    ['agent_message', [startup(['a'])]],
  ] as const)('names servers that were named at the begin before the first event of the turn: %s', (type, expected) => {
    expect(addStartupBefore(add(turn, configured(['a'])).turn, type).msgs).toEqual(expected);
  });
});
