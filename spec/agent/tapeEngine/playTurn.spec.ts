import { EMPTY, map, merge, mergeMap, type Observable, of } from 'rxjs';
import { playTurn } from '../../../src/agent/tapeEngine/tapeEngine';
import type { RecordedTurn, TurnStep } from '../../../src/agent/tapeEngine/toTurns';
import type { ReviewResult } from '../../../src/protocol/codex/approval';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { toInput } from '../../../src/protocol/codex/input';
import type { TurnOp } from '../../../src/protocol/codex/operations';
import { marbles } from '../../support/marbles';

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
    ['that is a form, filled in some way', { decision: 'approved', form: {} }, { decision: 'denied', form: { a: 1 } }],
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
