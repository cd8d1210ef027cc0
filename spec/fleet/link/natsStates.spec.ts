import type { Status } from '@nats-io/transport-node';
import { ignoreElements, merge, tap } from 'rxjs';
import { natsStates } from '../../../src/fleet/link/connectNats';
import { marbles } from '../../support/marbles';

const reported = new Error('reported');
const status: Record<string, Status> = {
  d: { type: 'disconnect', server: 'a' },
  r: { type: 'reconnect', server: 'b' },
  e: { type: 'error', error: new Error('odd') },
  k: { type: 'error', error: reported },
  p: { type: 'ping', pendingPings: 1 },
};
const states = {
  A: { kind: 'connected', server: 'a' },
  B: { kind: 'connected', server: 'b' },
  L: { kind: 'reconnecting' },
};

/** What was logged, beside the operator that does it. */
const logged = () => {
  const lines: string[] = [];
  const log = (level: string, message: string) => void lines.push(`${level} ${message}`);
  return { lines, states: natsStates({ server: 'a', log, isReceived: (error) => error === reported }) };
};

describe('natsStates', () => {
  it(
    'emits the state now and each change of it, and logs each change once',
    marbles(({ cold, expectObservable, flush }) => {
      const { lines, states: toStates } = logged();
      expectObservable(cold('-d-d-d-rp-d-|', status).pipe(toStates)).toBe('AL-----B--L-|', states);
      flush();
      expect(lines).toEqual([
        'warning NATS: lost a, reconnecting',
        'warning NATS: connected again to b',
        'warning NATS: lost a, reconnecting',
      ]);
    }),
  );

  it(
    'logs an error that nobody got, and no other',
    marbles(({ cold, expectObservable, flush }) => {
      const { lines, states: toStates } = logged();
      expectObservable(cold('-e-k-', status).pipe(toStates)).toBe('A', states);
      flush();
      expect(lines).toEqual(['warning NATS: odd']);
    }),
  );

  it(
    'lets those who wait for a response get an error first',
    marbles(({ hot, expectObservable, flush }) => {
      const received = new Set<Error>();
      const lines: string[] = [];
      const log = (_: string, message: string) => void lines.push(message);
      const status$ = hot('-e', status);
      const deps = { server: 'a', log, isReceived: (error: Error) => received.has(error) };
      const waiting$ = status$.pipe(
        tap((one) => one.type === 'error' && received.add(one.error)),
        ignoreElements(),
      );
      expectObservable(merge(status$.pipe(natsStates(deps)), waiting$)).toBe('A', states); // whoever waits comes last
      flush();
      expect(lines).toEqual([]);
    }),
  );

  it.each(['|', '#'])('ends as its source: %s', (end) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(`-${end}`, status).pipe(logged().states)).toBe(`A${end}`, states);
    })(),
  );
});
