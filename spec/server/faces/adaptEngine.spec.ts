import { mergeMap, of } from 'rxjs';
import type { Engine } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import { adaptEngine, type EventAdapter } from '../../../src/server/faces/adaptEngine';
import { marbles } from '../../support/marbles';

const op = (callId: string): Op => ({ kind: 'interrupt', callId });
const done = (callId: string): Event => ({ kind: 'done', callId, threadId: 'T' });

/** Sends each event twice, first under the names of the operations that came before it. */
const naming: EventAdapter<string> = {
  initial: '',
  receiveOp: (state, { callId }) => state + callId,
  receiveEvent: (state, event) => ({ state, output: [{ ...done(event.callId), threadId: state }, event] }),
};

/** Answers each operation at once. */
const engine: Engine = () => (op$) => op$.pipe(mergeMap(({ callId }) => of(done(callId))));

const never = () => {
  throw new Error('nobody is asked');
};

const run = (input: string, expected: string, adapter = naming) =>
  marbles(({ hot, expectObservable }) => {
    const values = { a: op('a'), b: op('b') };
    const out = { A: { ...done('a'), threadId: 'a' }, B: { ...done('b'), threadId: 'ab' }, x: done('a'), y: done('b') };
    expectObservable(hot(input, values).pipe(adaptEngine(adapter)(engine)(never))).toBe(expected, out);
  })();

describe('adaptEngine', () => {
  it('shows the adapter each operation before the engine answers it', () => {
    run('a---b---|', '(Ax)(By)|');
  });

  it('completes and errors with the engine, without operations too', () => {
    run('|', '|');
    run('-#', '-#');
    run('-', '-');
  });

  it('errors with the adapter', () => {
    const failing: EventAdapter<string> = {
      ...naming,
      receiveEvent: () => {
        throw 'error';
      },
    };
    run('--a-', '--#', failing);
  });

  it(
    'stops the engine with its subscriber',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const op$ = hot<Op>('--a--', { a: op('a') });
      const event$ = op$.pipe(adaptEngine(naming)(engine)(never));
      expectObservable(event$, '^---!').toBe('--(Ax)', { A: { ...done('a'), threadId: 'a' }, x: done('a') });
      expectSubscriptions(op$.subscriptions).toBe('^---!');
    }),
  );
});
