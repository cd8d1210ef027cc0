import { asyncScheduler, EMPTY, map, NEVER, type Observable, of } from 'rxjs';
import { CannotBegin, noThreadText } from '../../../src/agent/turns/rejection';
import { type OpenThread, runOpened, type ThreadsDeps, turnDeadline } from '../../../src/agent/turns/runOpened';
import { threadRegistry } from '../../../src/agent/turns/threadRegistry';
import { type TurnStop, untilStopped } from '../../../src/agent/turns/turnEvents';
import type { Event } from '../../../src/protocol/codex/events';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';
import { aborted, call, close, done, eventOf, finished, rejected } from './support';

type Thread = { id: string };
const thread: Thread = { id: 'T' };

/** t is an event of the turn, z its last; S the last one of a turn that was stopped before it began, X of one that ran. */
const events: Record<string, Event> = {
  t: eventOf('a'),
  z: done('a', 'T'),
  S: aborted('a'),
  X: aborted('a', 'T'),
  L: { ...aborted('a'), msg: { type: 'error', message: 'The turn took longer than 1 s and was stopped.' } },
  N: rejected('a', noThreadText({ id: 'U' })),
  R: rejected('a', 'no codex'),
  I: rejected('a', 'internal error: boom'),
  F: { ...aborted('a', 'T'), msg: { type: 'error', message: 'internal error: boom' } },
};
const stop: TurnStop = { kind: 'interrupted' };

/** Runs one turn; `open` opens its thread, `run` is what the turn emits. */
const runs = (open: ThreadsDeps<Thread>['open'], cancelled$: Observable<TurnStop> = NEVER) => {
  const registry = threadRegistry<Thread>();
  const op = call('a');
  const ports = { stop$: cancelled$, input$: NEVER };
  const entry = registry.resolve(op.thread);
  if (entry === undefined) throw new Error('a new thread has an entry');
  const out$ = runOpened<Thread>({ open, turnTimeoutMs: 1_000, log: silentLog }, registry)({ op, entry }, ports);
  return { out$, newest: () => registry.resolve({ newest: true }) };
};
const opened = (event$: Observable<Event>): OpenThread<Thread> => ({
  thread,
  run: ({ stop$ }) => event$.pipe(untilStopped(stop$, () => [aborted('a', 'T')])),
});

describe('runOpened', () => {
  it(
    'opens the thread first, then emits the events of the turn up to the last',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const open$ = cold('     --o        ');
      const event$ = cold<Event>('-t-z-t', events);
      const expected = '         ---t-(z|)';
      expectObservable(runs(() => open$.pipe(map(() => opened(event$)))).out$).toBe(expected, events);
      expectSubscriptions(open$.subscriptions).toBe('^-!');
      expectSubscriptions(event$.subscriptions).toBe('--^--!');
    }),
  );

  it(
    'stops opening when the call is cancelled',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const open$ = cold<OpenThread<Thread>>('-----');
      const cancelled$ = hot('                --x', { x: stop });
      expectObservable(runs(() => open$, cancelled$).out$).toBe('--(S|)', events);
      expectSubscriptions(open$.subscriptions).toBe('        ^-!');
    }),
  );

  it(
    'stops a turn that runs, also in answer to its first event',
    marbles(({ cold, hot, expectObservable }) => {
      const open = () => of(opened(cold<Event>('-t--', events)));
      expectObservable(runs(open, hot('         --x', { x: stop })).out$).toBe('-t(X|)', events);
      expectObservable(runs(open, hot('         -x-', { x: stop })).out$).toBe('-(X|)', events);
    }),
  );

  it(
    'counts the time to open the thread as time of the turn',
    marbles(({ cold, expectObservable }) => {
      const slow = () => cold('600ms (o|)').pipe(map(() => opened(NEVER)));
      expectObservable(runs(() => NEVER).out$).toBe('1s (LS|)', events);
      expectObservable(runs(slow).out$).toBe('1s (X|)', events);
    }),
  );

  it.each<[string, string, Error | undefined, string]>([
    ['there is no such thread', '--|', undefined, '--(N|)'],
    ['the call cannot begin', '--#', new CannotBegin('no codex'), '--(R|)'],
    ['opening has a bug', '--#', new Error('boom'), '--(I|)'],
  ])('rejects the call and forgets its thread where %s', (_, opening, error, expected) =>
    marbles(({ cold, expectObservable, flush }) => {
      const { out$, newest } = runs(() => cold<OpenThread<Thread>>(opening, {}, error));
      expectObservable(out$).toBe(expected, { ...events, N: rejected('a', noThreadText({ start: {} })) });
      flush();
      expect(newest()).toBeUndefined();
    })(),
  );

  it(
    'fails a turn that errors, and keeps its thread',
    marbles(({ cold, expectObservable, flush }) => {
      const { out$, newest } = runs(() => of(opened(cold<Event>('-t#', events, new Error('boom')))));
      expectObservable(out$).toBe('-t(Fz|)', events);
      flush();
      expect(newest()?.thread).toEqual(thread);
    }),
  );

  it(
    'fails a turn whose engine throws before it emits anything',
    marbles(({ expectObservable }) => {
      const run = () => {
        throw new Error('boom');
      };
      expectObservable(runs(() => ({ thread, run })).out$).toBe('(Fz|)', events);
    }),
  );

  it(
    'is done with a close once the engine has closed the thread, and knows it no more',
    marbles(({ cold, expectObservable, flush }) => {
      const registry = threadRegistry<Thread>([thread]);
      const entry = registry.find({ newest: true });
      if (entry === undefined) throw new Error('a stored thread is known');
      const deps = { open: () => NEVER, close: () => cold<never>('--|'), turnTimeoutMs: 1_000, log: silentLog };
      expectObservable(runOpened(deps, registry)({ op: close('a'), entry }, { stop$: NEVER, input$: NEVER })).toBe(
        '--(D|)',
        {
          D: finished('a', 'T'),
        },
      );
      flush();
      expect(registry.find({ newest: true })).toBeUndefined();
    }),
  );

  it('subscribes to nothing before it is subscribed', () => {
    let opens = 0;
    runs(() => {
      opens += 1;
      return EMPTY;
    });
    expect(opens).toBe(0);
  });
});

const stops = { x: { kind: 'interrupted' } satisfies TurnStop };
const expired = { kind: 'expired', message: 'The turn took longer than 1.5 s and was stopped.' };

describe('turnDeadline', () => {
  it.each([
    ['emits a stop of its own when the time is over', '-', '             1500ms (e|)'],
    ['passes those that come before', '                20ms x 3s x', '   20ms x 1479ms (e|)'],
    ['goes on when no stop can come any more', '       -|', '            1500ms (e|)'],
    ['errors with its source', '                       -#', '            -#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const stop$ = hot<TurnStop>(source, stops);
      expectObservable(stop$.pipe(turnDeadline(1_500)), '9s !').toBe(expected, { ...stops, e: expired });
    })(),
  );

  it(
    'stands still while a question is open',
    marbles(({ hot, expectObservable }) => {
      const paused = { isPaused$: hot('t 2s f', { t: true, f: false }), clockMs: () => asyncScheduler.now() };
      expectObservable(hot<TurnStop>('-').pipe(turnDeadline(1_500, paused)), '9s !').toBe('3501ms (e|)', {
        e: expired,
      });
    }),
  );

  it(
    'never comes at once, however long the limit is',
    marbles(({ hot, expectObservable }) => {
      for (const limitMs of [2 ** 40, Number.MAX_SAFE_INTEGER]) {
        expectObservable(hot<TurnStop>('-').pipe(turnDeadline(limitMs)), '1000s !').toBe('-');
      }
    }),
  );
});
