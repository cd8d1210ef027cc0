import { EMPTY, map, merge, mergeMap, NEVER, type Observable, of } from 'rxjs';
import { matchTurns, playTurn, type TapeMatch, tapeEngine } from '../../../src/agent/tapeEngine/tapeEngine';
import type { RecordedTurn, TurnStep } from '../../../src/agent/tapeEngine/toTurns';
import { rejection } from '../../../src/agent/turns/rejection';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { type Op, type ThreadOp, type ThreadRef, type TurnOp, toInput } from '../../../src/protocol/codex/operations';
import type { Entry } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';

const meta = { requestId: 1, threadId: 'T' };
const line = (t: number, dir: string, message: object): { lineNumber: number; entry: Entry } => ({
  lineNumber: 1,
  entry: { t, dir, line: JSON.stringify(message) },
});
const event = (t: number, msg: object) =>
  line(t, 'out', { method: 'codex/event', params: { _meta: meta, id: '1', msg } });
const call = (t: number, id: number, name: string, given: object) =>
  line(t, 'in', { id, method: 'tools/call', params: { name, arguments: given } });
const result = (t: number, id: number, text: string, more: object = {}) =>
  line(t, 'out', {
    id,
    result: { content: [{ type: 'text', text }], structuredContent: { threadId: 'T', content: text }, ...more },
  });

const request = { type: 'exec_approval_request', call_id: 'c', command: ['ls'], cwd: '/' };

/** One call with a question that was answered yes, and a reply that failed. */
const SESSION = toSessionIndex({
  meta: {},
  entries: [
    call(0, 1, 'codex', { prompt: 'go' }),
    event(2, { type: 'session_configured', session_id: 'T' }),
    event(4, request),
    line(4, 'out', { id: 0, method: 'elicitation/create', params: {} }),
    line(9, 'in', { id: 0, result: { action: 'accept', content: { decision: 'approved' } } }),
    event(12, { type: 'task_complete', last_agent_message: 'done' }),
    result(12, 1, 'done'),
    call(20, 2, 'codex-reply', { prompt: 'more', threadId: 'T' }),
    result(20, 2, 'no model', { isError: true }),
  ],
});

const turn = (callId: string, prompt: string, thread: ThreadRef): Op => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread,
  input: toInput(prompt),
  askable: true,
});

const other = (kind: 'open' | 'compact' | 'close', callId: string, thread: ThreadRef): Op => ({
  kind,
  callId,
  eventId: callId,
  thread,
  askable: true,
});

/** The events, in short. */
const wordOf = (emitted: Event): string => {
  if (emitted.kind === 'rejected') return `${emitted.callId} refused: ${emitted.message}`;
  if (emitted.kind === 'done') return `${emitted.callId} done ${emitted.threadId}`;
  return emitted.kind === 'event'
    ? `${emitted.callId} ${emitted.msg.type}${emitted.question === undefined ? '' : '?'}`
    : emitted.kind;
};

const answering =
  (verdict: Observable<ReviewResult>): Ask =>
  (_, question, then) =>
    merge(verdict.pipe(mergeMap((sent: ReviewResult) => then({ ...sent, question: 7 }))), of(question(7)));

const ops: Record<string, Op> = {
  a: turn('a', 'go', { start: {} }),
  b: turn('b', 'other', { start: {} }),
  r: turn('r', 'more', { newest: true }),
  i: turn('i', 'more', { id: 'T' }),
  x: { kind: 'interrupt', callId: 'a' },
  o: other('open', 'o', { start: {} }),
  p: other('open', 'p', { id: 'nowhere' }),
  k: other('compact', 'k', { newest: true }),
  c: other('close', 'c', { newest: true }),
  f: { ...turn('f', 'go', { newest: true }), kind: 'input' } as Op,
  y: { kind: 'interruptThread', callId: 'y', thread: { newest: true } },
};

const played = (
  { hot, expectObservable }: Parameters<Parameters<typeof marbles>[0]>[0],
  {
    ops: written,
    speed = 1,
    match = 'strict',
    ask = () => EMPTY,
    expected,
    words,
  }: {
    ops: string;
    speed?: number | 'max';
    match?: TapeMatch;
    ask?: Ask;
    expected: string;
    words: Record<string, string>;
  },
) => {
  const engine = tapeEngine({ speed, match, newId: () => 't' }, SESSION);
  const out$ = engine(ask)(hot(written, ops)).pipe(map(wordOf));
  expectObservable(out$).toBe(expected, words);
};

describe('tapeEngine', () => {
  const words = { s: 'a session_configured', q: 'a exec_approval_request?', z: 'a task_complete', e: 'a error' };

  it(
    'plays a call at the pace of the recording, and goes on when the answer is the recorded one',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('----y', { y: { decision: 'approved' } }));
      played(helpers, { ops: 'a---------|', ask, expected: '--s-q------(z|)', words });
    }),
  );

  it(
    'fails a call whose answer is another than the recorded one',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('-n', { n: { decision: 'denied' } }));
      played(helpers, { ops: 'a---------|', ask, expected: '--s-q(ez)-|', words });
    }),
  );

  it(
    'plays without waiting when configured so',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('(y|)', { y: { decision: 'approved' } }));
      played(helpers, { ops: 'a----|', speed: 'max', ask, expected: '(sqz)|', words });
    }),
  );

  it(
    'opens a thread, plays its first turn later, and closes it',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('(y|)', { y: { decision: 'approved' } }));
      const opening = { s: 'o session_configured', o: 'o done T', c: 'c done T', y: 'y done T' };
      const input = { q: 'f exec_approval_request?', z: 'f task_complete' };
      const words = { ...opening, ...input };
      played(helpers, { ops: 'o---f---y--c|', speed: 'max', ask, expected: '(so)(qz)y--c|', words });
    }),
  );

  it(
    'rejects a thread and a compaction that are not recorded',
    marbles((helpers) => {
      const words = {
        p: 'p refused: Not recorded: the tape has no such thread.',
        k: 'k refused: Not recorded: a tape has no turns that compact a thread.',
      };
      played(helpers, { ops: 'p--k|', speed: 'max', expected: 'p--k|', words });
    }),
  );

  it(
    'answers a reply with the error that was recorded, by the newest thread or by its id',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('(y|)', { y: { decision: 'approved' } }));
      const reply = { m: 'r error', n: 'r task_complete' };
      played(helpers, {
        ops: 'a-------r---|',
        speed: 'max',
        ask,
        expected: '(sqz)---(mn)|',
        words: { ...words, ...reply },
      });
    }),
  );

  it(
    'refuses a prompt that is not recorded, and names the next one',
    marbles((helpers) => {
      const refused =
        'b refused: Not recorded: codex with this prompt. Next on the tape, in line 1, is "go"; --tape-match next takes any prompt for it.';
      played(helpers, { ops: 'b|', expected: 'R|', words: { R: refused } });
    }),
  );

  it(
    'takes any prompt for the next recorded call when configured so, and refuses when none is left',
    marbles((helpers) => {
      const none = 'a refused: Not recorded: the tape has no more calls of codex; 1 of others are left.';
      const ask = answering(NEVER);
      played(helpers, {
        ops: 'b----a|',
        speed: 'max',
        match: 'next',
        ask,
        expected: '(sq)-R',
        words: { s: 'b session_configured', q: 'b exec_approval_request?', R: none },
      });
    }),
  );

  it(
    'stops a call that is interrupted',
    marbles((helpers) => {
      played(helpers, { ops: 'a--x|', expected: '--sA|', words: { ...words, A: 'a turn_aborted' } });
    }),
  );
});

describe('playTurn', () => {
  const op: TurnOp = {
    kind: 'turn',
    callId: 'a',
    eventId: '5',
    thread: { start: {} },
    input: toInput('go'),
    askable: true,
  };
  const message = (text: string): EventMsg => ({ type: 'agent_message', message: text });
  const step = (afterMs: number, msg: EventMsg, question?: TurnStep['question']): TurnStep => ({
    afterMs,
    msg,
    ...(question && { question }),
  });
  const recorded = (steps: TurnStep[], own: Partial<RecordedTurn> = {}): RecordedTurn => ({
    lineNumber: 1,
    tool: 'codex',
    prompt: 'go',
    threadId: 'T',
    steps,
    text: 'done',
    ...own,
  });
  const begun = step(2, message('begun'));
  const asked = step(3, message('may it?'), { decision: 'approved' });
  const ran = step(4, message('ran'));
  const finished = step(1, { type: 'task_complete', last_agent_message: 'ran' });

  /** The type of an event and its text, `?` after a question. */
  const wordOf = (event: Event): string => {
    if (event.kind !== 'event') return event.kind;
    const { msg, question } = event;
    const text = 'message' in msg ? msg.message : 'last_agent_message' in msg ? msg.last_agent_message : '';
    return `${msg.type} ${text}${question === undefined ? '' : '?'}`;
  };
  const words = {
    b: 'agent_message begun',
    Q: 'agent_message may it??',
    r: 'agent_message ran',
    z: 'task_complete ran',
    Z: 'task_complete done',
    X: 'task_complete null',
    E: 'error no model',
    O: 'error The tape cannot continue: this question was answered "approved" when it was recorded, and "denied" now (no).',
  };
  const answering =
    (verdict$: Observable<ReviewResult>): Ask =>
    (_, question, then) =>
      merge(of(question(7)), verdict$.pipe(mergeMap((verdict) => then(verdict))));
  const played = (turn: RecordedTurn, own: { ask?: Ask; speed?: number | 'max' } = {}) =>
    playTurn({ ask: () => EMPTY, speed: 1, ...own }, turn, { op, turnId: 't' }).pipe(map(wordOf));

  describe('playTurn', () => {
    it.each<[string, number | 'max', string]>([
      ['plays at the recorded pace', 1, '--b---r-(z|)'],
      ['plays twice as fast', 2, '-b-r(z|)'],
      ['does not wait at all', 'max', '(brz|)'],
    ])('%s', (_, speed, expected) =>
      marbles(({ expectObservable }) => {
        const steps = [begun, ran, step(2, finished.msg)];
        expectObservable(played(recorded(steps), { speed })).toBe(expected, words);
      })(),
    );

    it(
      'asks a recorded question again, and continues after the recorded answer',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const answer$ = cold<ReviewResult>('------y|', { y: { decision: 'approved' } });
        const out$ = played(recorded([begun, asked, ran, finished]), { ask: answering(answer$) });
        expectObservable(out$).toBe('--b--Q---------r(z|)', words);
        expectSubscriptions(answer$.subscriptions).toBe('-----^------!');
      }),
    );

    it(
      'fails after another answer than the recorded one',
      marbles(({ cold, expectObservable }) => {
        const answer$ = cold<ReviewResult>('-n|', { n: { decision: 'denied', reason: 'no' } });
        const out$ = played(recorded([asked, ran, finished]), { ask: answering(answer$) });
        expectObservable(out$).toBe('   ---Q(OX|)', words);
      }),
    );

    it.each<[string, TurnStep['question'], ReviewResult]>([
      ['whose answer was not recorded', { decision: undefined }, { decision: 'denied' }],
      [
        'that is a form, filled in some way',
        { decision: 'approved', form: {} },
        { decision: 'denied', form: { a: 1 } },
      ],
    ])('continues after any answer to a question %s', (_, question, verdict) =>
      marbles(({ expectObservable }) => {
        const steps = [step(0, asked.msg, question), step(0, ran.msg), step(0, finished.msg)];
        expectObservable(played(recorded(steps), { ask: answering(of(verdict)) })).toBe('(Qrz|)', words);
      })(),
    );

    it.each<[string, RecordedTurn, string]>([
      ['has its text where no event ends it', recorded([]), '(Z|)'],
      ['fails as the recorded call failed', recorded([], { failure: 'no model' }), '(EX|)'],
      [
        'does not report an error twice',
        recorded([step(0, { type: 'error', message: 'no model' })], { failure: 'no model' }),
        '(EX|)',
      ],
      ['ends with its last event', recorded([step(0, finished.msg), ran]), '(z|)'],
    ])('%s', (_, turn, expected) =>
      marbles(({ expectObservable }) => {
        expectObservable(played(turn)).toBe(expected, words);
      })(),
    );

    it.each<[string, TurnStep[], string]>([
      ['before its recorded end', [ran, finished], '----r(DNz|)'],
      ['before an end that is not on the tape', [ran], '----(rDNZ|)'],
    ])('has what was not done %s', (_, steps, expected) =>
      marbles(({ expectObservable }) => {
        const notDone = [{ what: 'ls' }, { what: 'rm', reason: 'forbidden' }];
        const out$ = playTurn({ ask: () => EMPTY, speed: 1 }, recorded(steps, { notDone }), { op, turnId: 't' });
        const declined = {
          D: { kind: 'declined', callId: 'a', what: 'ls' },
          N: { kind: 'declined', callId: 'a', what: 'rm', reason: 'forbidden' },
        };
        expectObservable(out$.pipe(map((event) => (event.kind === 'declined' ? event : wordOf(event))))).toBe(
          expected,
          { ...words, ...declined },
        );
      })(),
    );

    it('writes the recorded thread, the id of the operation, and no id on the first event of a thread', () => {
      const configured = { type: 'session_configured', session_id: 'T' } as EventMsg;
      const events: Event[] = [];
      const turn = recorded([step(0, configured), step(0, finished.msg)]);
      playTurn({ ask: () => EMPTY, speed: 'max' }, turn, { op, turnId: 't' }).subscribe((event) => events.push(event));
      const ids = { kind: 'event', callId: 'a', threadId: 'T', turnId: 't' };
      expect(events).toEqual([
        { ...ids, id: '', msg: configured },
        { ...ids, id: '5', msg: finished.msg },
      ]);
    });
  });
});

const configured: TurnStep = { afterMs: 1, msg: { type: 'session_configured' } as TurnStep['msg'] };
const complete: TurnStep = { afterMs: 2, msg: { type: 'task_complete', last_agent_message: 'a' } };
const recorded = (own: Partial<RecordedTurn>): RecordedTurn => ({
  lineNumber: 1,
  tool: 'codex',
  prompt: 'go',
  threadId: 'T',
  steps: [configured, complete],
  text: 'a',
  ...own,
});
const first = recorded({});
const reply = recorded({ lineNumber: 2, tool: 'codex-reply', prompt: 'more', steps: [complete] });
const ofOther = recorded({ lineNumber: 3, threadId: 'U' });

const turnOf = (prompt: string, thread: ThreadRef = { start: {} }): ThreadOp => ({
  kind: 'turn',
  callId: prompt,
  eventId: '1',
  thread,
  input: toInput(prompt),
  askable: true,
});
const open = (thread: ThreadRef): ThreadOp => ({ kind: 'open', callId: 'o', eventId: '', thread, askable: true });
const onT = { id: 'T' };
const NEWEST = { newest: true } as unknown as ThreadRef;

/** What becomes of operations, one after another: the recorded turn, or the rejection; and the newest thread after them. */
const routed = (match: TapeMatch, turns: RecordedTurn[], ...ops: ThreadOp[]) => {
  const { route, find } = matchTurns(turns, match);
  const outcomes = ops.map((op) => {
    const one = route(op);
    return one.kind === 'turn' ? one.turn.recorded : one;
  });
  return { outcomes, newest: find(NEWEST) };
};

describe('matchTurns', () => {
  it('plays each turn once, by its prompt', () => {
    const again = turnOf('go');
    expect(routed('strict', [first, reply], turnOf('go'), turnOf('more', onT), again).outcomes).toEqual([
      first,
      reply,
      rejection(again, 'Not recorded: every call on the tape was played.'),
    ]);
  });

  it('rejects a call that could not begin, and does not open a thread with it', () => {
    const refused = recorded({ threadId: '', steps: [], failure: 'no such folder', isRejected: true });
    const op = turnOf('go');
    expect(routed('strict', [refused], op)).toEqual({ outcomes: [rejection(op, 'no such folder')], newest: undefined });
    expect(routed('strict', [refused, first], open({ start: {} })).outcomes).toEqual([
      { ...first, steps: [configured] },
    ]);
  });

  it('plays the next turn of a tool, whatever its prompt, with `next`', () => {
    expect(routed('next', [first, reply, ofOther], turnOf('x'), turnOf('y', onT), turnOf('z')).outcomes).toEqual([
      first,
      reply,
      ofOther,
    ]);
  });

  it.each<[string, ThreadOp, string]>([
    [
      'another prompt   ',
      turnOf('x'),
      'codex with this prompt. Next on the tape, in line 1, is "go"; --tape-match next takes any prompt for it.',
    ],
    [
      'another thread   ',
      turnOf('more', { id: 'V' }),
      'the tape has no more calls of codex-reply on this thread; 3 of others are left.',
    ],
    ['an unknown thread', open({ id: 'V' }), 'the tape has no such thread.'],
    [
      'a summary        ',
      { kind: 'compact', callId: 'c', eventId: '', thread: onT, askable: true },
      'a tape has no turns that compact a thread.',
    ],
  ])('rejects %s', (_, op, text) => {
    expect(routed('strict', [first, reply, ofOther], op).outcomes).toEqual([rejection(op, `Not recorded: ${text}`)]);
  });

  it('opens a thread with its first event, and plays the rest with the turn that follows', () => {
    const { outcomes, newest: id } = routed(
      'strict',
      [first, reply],
      open({ start: {} }),
      turnOf('go', onT),
      open(onT),
    );
    expect(outcomes).toEqual([
      { ...first, steps: [configured] },
      { ...first, tool: 'codex-reply', steps: [complete] },
      { ...first, steps: [] },
    ]);
    expect(id).toBe('T');
  });

  it('finds the thread of the last operation as the newest, none before', () => {
    expect(routed('strict', [first, ofOther], turnOf('go'), turnOf('go')).newest).toBe('U');
    expect(routed('strict', [first]).newest).toBeUndefined();
    expect(matchTurns([first], 'strict').find({ id: 'V' })).toBeUndefined();
  });
});
