import { type Observable, throwError } from 'rxjs';
import { deferredEngine, lazyEngine } from '../../../src/app/engines/lazyEngine';
import type { Ask, Engine } from '../../../src/protocol/codex/engine';
import { type Op, toInput } from '../../../src/protocol/codex/operations';
import { marbles } from '../../support/marbles';
import { complete, engine, turnEventOf } from '../../support/mcp';

const ask = (() => undefined) as unknown as Ask;
const turn = (callId: string): Extract<Op, { kind: 'turn' }> => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread: { newest: true },
  input: toInput('echo'),
  askable: false,
});

describe('lazyEngine', () => {
  const ops = { a: turn('a'), b: turn('b'), c: turn('c') };
  const echoes = Object.fromEntries(
    Object.entries(ops).map(([id, op]) => [id.toUpperCase(), turnEventOf(op, complete('echo'))]),
  );

  it(
    'makes the engine with its first op and loses none',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const op$ = hot('     a-(bc)-|', ops);
      const engine$ = cold('e', { e: engine });
      const expected = '    A-(BC)-|';
      expectObservable(lazyEngine(engine$)(ask)(op$)).toBe(expected, echoes);
      expectSubscriptions(engine$.subscriptions).toBe('(^!)');
    }),
  );

  it(
    'keeps ops in order while the engine is being made',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const op$ = hot('     --ab------c-|', ops);
      const engine$ = cold('  ---e', { e: engine });
      const expected = '    -----(AB)-C-|';
      expectObservable(lazyEngine(engine$)(ask)(op$)).toBe(expected, echoes);
      expectSubscriptions(engine$.subscriptions).toBe('--^--!');
    }),
  );
  it(
    'rejects each call if the engine cannot be made',
    marbles(({ hot, expectObservable }) => {
      const op$ = hot<Op>('a-b-|', { a: turn('a'), b: turn('b') });
      const engine$ = throwError(() => new Error('a part is missing'));
      const [A, B] = ['a', 'b'].map((callId) => ({ kind: 'rejected', callId, message: 'a part is missing' }));
      expectObservable(lazyEngine(engine$)(ask)(op$)).toBe('A-B-|', { A, B });
    }),
  );

  it(
    'makes nothing if nothing is asked',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const engine$ = cold<Engine>('e');
      expectObservable(lazyEngine(engine$)(ask)(cold<Op>('---|'))).toBe('---|');
      expectSubscriptions(engine$.subscriptions).toBe([]);
    }),
  );
});

describe('deferredEngine', () => {
  const ops = { a: turn('a'), b: turn('b') } as Record<string, Op>;
  const echoOf = (id: string) => turnEventOf(ops[id] as Extract<Op, { kind: 'turn' }>, complete('echo'));
  const events = { A: echoOf('a'), B: echoOf('b') };

  it.each([
    ['keeps what comes before the choice, in order', 'ab-------|', '----e', '----(AB)-|'],
    ['passes on what comes after', 'a-----b-|', '--e', '--A---B-|'],
    ['waits for the choice when nothing more will be asked', 'a|', '----e', '----(A|)'],
    ['ends where nothing was asked', '----|', '--e', '----|'],
  ])('%s', (_, op, choice, expected) =>
    marbles(({ hot, cold, expectObservable }) => {
      const engine$: Observable<Engine> = cold(choice, { e: engine });
      expectObservable(deferredEngine(engine$)(ask)(hot(op, ops))).toBe(expected, events);
    })(),
  );

  it(
    'errors with its choice',
    marbles(({ hot, expectObservable }) => {
      const engine$ = throwError(() => new Error('none'));
      expectObservable(deferredEngine(engine$)(ask)(hot('--a', ops))).toBe('#', {}, new Error('none'));
    }),
  );

  it(
    'lets go of its choice when nobody listens',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const engine$ = cold<Engine>('-----e', { e: engine });
      expectObservable(deferredEngine(engine$)(ask)(hot('a', ops)), '^--!').toBe('---');
      expectSubscriptions(engine$.subscriptions).toBe('^--!');
    }),
  );
});
