import { toClientPlan } from '../../../src/tapes/replayClient/clientPlan';
import { type ClientPlayback, IDLE_CLIENT } from '../../../src/tapes/replayClient/clientPlayback';
import { type ClientInput, playClient } from '../../../src/tapes/replayClient/playClient';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const text = (message: object): string => JSON.stringify(message);
const [a, A, n] = [{ id: 1, method: 'a' }, { id: 1, result: 'A' }, { method: 'n' }];
const [b, B] = [
  { id: 2, method: 'b' },
  { id: 2, result: 'B' },
];
const [ask, yes] = [
  { id: 0, method: 'ask', params: { text: 'one' } },
  { id: 0, result: 'yes' },
];
const plan = toClientPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'in', a],
      [1, 'out', n],
      [2, 'out', A],
      [3, 'in', b],
      [4, 'out', ask],
      [5, 'in', yes],
      [6, 'out', B],
    ),
  ),
);

const start: ClientInput = { kind: 'start' };
const silence: ClientInput = { kind: 'silence' };
const timeout: ClientInput = { kind: 'timeout' };
const line = (message: object | string): ClientInput => ({
  kind: 'line',
  line: typeof message === 'string' ? message : text(message),
});

/** The lines sent after each input, and the phase at the end. */
const played = (...inputs: ClientInput[]) => {
  const play = playClient(plan);
  let state: ClientPlayback = IDLE_CLIENT;
  const sent = inputs.map((input) => {
    const step = play(state, input);
    state = step.state;
    return step.output;
  });
  return [...sent, state.phase];
};

describe('playClient', () => {
  it('sends a line when all messages that came before it have come, in any order', () => {
    expect(played(start, line(A), line(n), line(ask), line(B))).toEqual([
      [text(a)],
      [],
      [text(b)],
      [text(yes)],
      [],
      'finished',
    ]);
  });

  it('continues without a notification after a silence, and not without a response', () => {
    expect(played(start, line(A), silence)).toEqual([[text(a)], [], [text(b)], 'playing']);
    expect(played(start, line(n), silence)).toEqual([[text(a)], [], [], 'playing']);
  });

  it('gives up no notification while a response is due, as the server is at work', () => {
    expect(played(start, silence, line(A), line(n))).toEqual([[text(a)], [], [], [text(b)], 'playing']);
    expect(played(start, silence, line(A), silence)).toEqual([[text(a)], [], [], [text(b)], 'playing']);
  });

  it('responds to the request of this server, also when it asks for more', () => {
    const [other, mine] = [
      { ...ask, id: 'x', params: { text: 'two' } },
      { ...ask, id: 'y' },
    ];
    const [, , , , sent] = played(start, line(A), line(n), line(other), line(mine));
    expect(sent).toEqual([]);
    expect(played(start, line(A), line(n), line(mine))[3]).toEqual([text({ ...yes, id: 'y' })]);
  });

  it('passes over blank lines and what was not recorded', () => {
    expect(played(start, line(''), line('no JSON'), line({ method: 'other' }))).toEqual([
      [text(a)],
      [],
      [],
      [],
      'playing',
    ]);
  });

  it('finishes at a timeout, and does nothing after it', () => {
    expect(played(start, timeout, line(A))).toEqual([[text(a)], [], [], 'finished']);
  });

  it('pauses after a line, counts what comes, and goes on when the pause is over, whatever the silence', () => {
    const paused = toClientPlan(
      toSessionIndex(sessionFrom([0, 'in', n], [200, 'in', a], [300, 'out', A], [300, 'in', b])),
      'needed',
    );
    const play = playClient(paused);
    const inputs: ClientInput[] = [start, line(A), silence, timeout, { kind: 'resume' }];
    let state: ClientPlayback = IDLE_CLIENT;
    const steps = inputs.map((input) => {
      const step = play(state, input);
      state = step.state;
      return [step.state.phase, step.output, step.pauseMs];
    });
    expect(steps).toEqual([
      ['pausing', [text(n)], 200],
      ['pausing', [], 0],
      ['pausing', [], 0],
      ['pausing', [], 0],
      ['finished', [text(a), text(b)], 0],
    ]);
    expect(play(play(IDLE_CLIENT, start).state, { kind: 'end' }).state).toEqual({ phase: 'finished' });
  });

  it('leaves the state before it as it was', () => {
    const play = playClient(plan);
    [start, line(A), silence, line(n), line(ask), line(B)].reduce<ClientPlayback>((state, input) => {
      const [first, second] = [play(state, input), play(state, input)];
      expect(second).toEqual(first);
      return first.state;
    }, IDLE_CLIENT);
  });
});
