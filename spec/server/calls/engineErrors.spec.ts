import { mergeMap, NEVER, type Observable, of, throwError, timer } from 'rxjs';
import { CannotBegin } from '../../../src/agent/turns/rejection';
import type { Ask, Engine } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import type { Log } from '../../../src/protocol/log';
import { withoutErrors } from '../../../src/server/calls/runCalls';
import { marbles } from '../../support/marbles';

const begin = (callId: string): Op => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread: { newest: true },
  askable: true,
  input: [],
});
const done = (callId: string): Event => ({ kind: 'done', callId, threadId: 't' });
const rejected = (callId: string, message: string): Event => ({ kind: 'rejected', callId, message });

const ops = { a: begin('a'), b: begin('b'), c: begin('c') };
const events = {
  A: done('a'),
  B: done('b'),
  C: done('c'),
  P: rejected('a', 'internal error: a bug'),
  R: rejected('b', 'internal error: a bug'),
  S: rejected('c', 'internal error: a bug'),
};

const ask: Ask = () => NEVER;
const silent: Log = () => {};
const bug = (): never => {
  throw new Error('a bug');
};
const fails$ = (error: Error = new Error('a bug')): Observable<never> => throwError(() => error);

/** An engine that ends each call at once, but for `b`, which stays, and at `c` does something else. */
const engineWith =
  (atC: () => Observable<Event>): Engine =>
  () =>
  (op$) =>
    op$.pipe(
      mergeMap(({ callId }) => {
        if (callId === 'c') return atC();
        return callId === 'b' ? NEVER : of(done(callId));
      }),
    );

describe('withoutErrors', () => {
  it(
    'passes the events of an engine that does not error',
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  a-b-c-|', ops);
      const expected = ' A---C-|';
      const engine: Engine = () => (op$) => op$.pipe(mergeMap(({ callId }) => (callId === 'b' ? [] : [done(callId)])));
      expectObservable(op$.pipe(withoutErrors(silent, engine)(ask))).toBe(expected, events);
    }),
  );

  it(
    'completes without an operation, and never subscribes the engine for it',
    marbles(({ cold, expectObservable }) => {
      const engine: Engine = () => bug;
      expectObservable(cold('--|', ops).pipe(withoutErrors(silent, engine)(ask))).toBe('--|', events);
      expectObservable(cold('---', ops).pipe(withoutErrors(silent, engine)(ask))).toBe('---', events);
    }),
  );

  it.each([
    ['at once', fails$],
    ['by throwing', bug],
    ['in a stream of its own', () => timer(0).pipe(mergeMap(bug))],
  ])('rejects the calls that are open when it errors %s, and serves the next', (_, atC) => {
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  a-b-c---a-|', ops);
      const expected = ' A---(RS)A-|';
      expectObservable(op$.pipe(withoutErrors(silent, engineWith(atC))(ask))).toBe(expected, events);
    })();
  });

  it(
    'rejects nothing twice, and ends with its source although a call was open',
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  b-c---c---|', ops);
      const expected = ' --(RS)S---|';
      expectObservable(op$.pipe(withoutErrors(silent, engineWith(fails$))(ask))).toBe(expected, events);
    }),
  );

  it.each<[string, Engine]>([
    ['when it is given the port of questions', bug],
    ['when it is given the operations', () => bug],
    ['at its subscription', () => () => fails$()],
    ['after a while', () => () => timer(2).pipe(mergeMap(bug))],
  ])('rejects one call after the other of an engine that fails each time %s', (_, engine) => {
    marbles(({ hot, expectObservable }) => {
      const isLate = String(engine).includes('timer');
      const op$ = hot('           a-----c----|', ops);
      const expected = isLate ? ' --P-----S--|' : 'P-----S----|';
      expectObservable(op$.pipe(withoutErrors(silent, engine)(ask))).toBe(expected, events);
    })();
  });

  it(
    'stops the engine when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const event$ = cold('---A', events);
      expectObservable(hot('a---', ops).pipe(withoutErrors(silent, () => () => event$)(ask)), '--!').toBe(
        '---',
        events,
      );
      expectSubscriptions(event$.subscriptions).toBe('^-!');
    }),
  );

  it('gives a reason that explains itself as it is, and logs a bug once with its stack', () => {
    const log = jest.fn();
    const seen: Event[] = [];
    of(ops.b, ops.c)
      .pipe(
        withoutErrors(
          log,
          engineWith(() => fails$(new CannotBegin('There is no model'))),
        )(ask),
      )
      .subscribe((event) => seen.push(event));
    expect(seen).toEqual([rejected('b', 'There is no model'), rejected('c', 'There is no model')]);
    expect(log).not.toHaveBeenCalled();
    of(ops.b, ops.c)
      .pipe(withoutErrors(log, engineWith(fails$))(ask))
      .subscribe();
    expect(log.mock.calls).toEqual([
      [
        'error',
        'a call could not begin because of a bug',
        { callId: 'b', stack: expect.stringMatching(/^Error: a bug\n/) },
      ],
    ]);
  });
});
