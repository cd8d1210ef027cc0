import { NEVER, type Observable } from 'rxjs';
import { NOTHING_SPENT, whyOver, withinBounds } from '../../../src/agent/turns/bounds';
import { type TurnStop, untilStopped } from '../../../src/agent/turns/turnEvents';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import type { Bounds } from '../../../src/settings/bounds';
import { marbles } from '../../support/marbles';
import { first } from '../support';

const tokens = (total_tokens: number) => ({
  input_tokens: total_tokens,
  cached_input_tokens: null,
  output_tokens: 0,
  reasoning_output_tokens: null,
  total_tokens,
});
const count = (own: number, total: number): EventMsg => ({ type: 'token_count', ...tokens(own), total: tokens(total) });

const stopped = (why: string, remedy = 'Go on with codex-reply, which begins a new turn', ran = 0) =>
  first.error(
    `The turn was stopped: ${why}. It used 6 tokens in 1 answers of the model, and ran ${ran} commands. ${remedy}, or raise the bound on the server.`,
  );

/** U, V counts of 6 tokens each, of a thread that had 20; b, c commands; m a message; z the end. X: the turn was stopped, D that it is over. */
const events: Record<string, Event> = {
  U: first.event(count(6, 26)),
  V: first.event(count(6, 32)),
  b: first.begin('b', ['ls']),
  c: first.begin('c', ['ls']),
  m: first.message('ok'),
  d: first.delta('o'),
  z: first.complete('ok'),
  A: first.aborted,
};

/** The turn as a source that a stop ends, with its reason. */
const bounded = (run$: Observable<Event>, bounds: Bounds, used: (thread: unknown) => void = () => {}) =>
  withinBounds({ bounds, before: tokens(20), stop$: NEVER, used }, (stop$) => run$.pipe(untilStopped(stop$, closing)));

const closing = (stop: TurnStop): Event[] => [
  ...(stop.kind === 'expired' ? [first.error(stop.message)] : []),
  first.aborted,
];

describe('withinBounds', () => {
  it.each<[string, Bounds, string, string, Event | undefined]>([
    ['lets a turn end by itself that reaches its bound', { maxTokensPerTurn: 6 }, '-mU--z', '-mU--(z|)', undefined],
    [
      'stops a turn that goes on with a message',
      { maxTokensPerTurn: 6 },
      '-bU--m-z',
      '-bU--(mXA|)',
      stopped('the turn has used 6 tokens; max_tokens_per_turn is 6', undefined, 1),
    ],
    [
      'stops a turn that goes on with a delta, by the tokens of its thread',
      { maxTokensPerThread: 25 },
      '--U--d-z',
      '--U--(dXA|)',
      stopped('the thread has used 26 tokens; max_tokens_per_thread is 25', 'Start a new thread with the tool codex'),
    ],
    [
      'stops a turn in which the model answers too often',
      { maxRoundsPerTurn: 1 },
      '--U--c-z',
      '--U--(cXA|)',
      stopped('the model has answered 1 times; max_rounds_per_turn is 1'),
    ],
    [
      'stops a turn at the first command too many',
      { maxCommandsPerTurn: 1 },
      '-Ubc-z',
      '-Ub(cXA|)',
      stopped('max_commands_per_turn is 1', undefined, 1),
    ],
    [
      'lets a turn have as much as it may',
      { maxCommandsPerTurn: 2, maxRoundsPerTurn: 3 },
      '-bcUVm-z',
      '-bcUVm-(z|)',
      undefined,
    ],
    ['lets a turn have all without bounds', {}, '-bcUVm-z', '-bcUVm-(z|)', undefined],
  ])('%s', (_, bounds, run, expected, X) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(bounded(hot(run, events), bounds)).toBe(expected, { ...events, ...(X && { X }) });
    })(),
  );

  it(
    'passes a stop of the caller and an error, and stops its turn when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const stop$ = hot<TurnStop>('---x', { x: { kind: 'interrupted' } });
      const run$ = cold('           -m-----', events);
      const within = withinBounds({ bounds: {}, before: undefined, stop$, used: () => {} }, (end$) =>
        run$.pipe(untilStopped(end$, closing)),
      );
      expectObservable(within).toBe('-m-(A|)', events);
      expectSubscriptions(run$.subscriptions).toBe('^--!');
      expectObservable(bounded(cold('-#'), {})).toBe('-#');
      expectObservable(bounded(cold('-m--', events), {}), '^-!').toBe('-m-', events);
    }),
  );

  it('passes on what the thread has used', () => {
    const used: unknown[] = [];
    marbles(({ cold, expectObservable }) => {
      expectObservable(bounded(cold('UVz', events), {}, (thread) => used.push(thread))).toBe('UV(z|)', events);
    })();
    expect(used).toEqual([tokens(26), tokens(32), tokens(32)]);
  });
});

describe('whyOver', () => {
  it('lets a turn be asked that has spent nothing, but none of a thread that has used its tokens', () => {
    expect(whyOver({ maxTokensPerTurn: 1, maxRoundsPerTurn: 1, maxTokensPerThread: 7 }, NOTHING_SPENT)).toBeUndefined();
    expect(whyOver({ maxTokensPerThread: 7 }, { ...NOTHING_SPENT, usage: { thread: tokens(7) } })).toEqual({
      kind: 'expired',
      bound: 'tokens',
      message:
        'The turn was stopped: the thread has used 7 tokens; max_tokens_per_thread is 7. It used 0 tokens in 0 answers of the model, and ran 0 commands. Start a new thread with the tool codex, or raise the bound on the server.',
    });
  });
});
