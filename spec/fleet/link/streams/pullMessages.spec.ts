import { asyncScheduler } from 'rxjs';
import type { NatsStored } from '../../../../src/fleet/link/natsLink';
import { type Pulled, readRounds } from '../../../../src/fleet/link/streams/pullMessages';
import { type Backpressure, noBackpressure } from '../../../../src/streams/backpressure';
import { marbles } from '../../../support/marbles';

const stored = (seq: number) => ({ kind: 'message', seq }) as NatsStored;
const message = (seq: number, size: number): Pulled => ({ kind: 'message', size, stored: stored(seq) });
const over = (messages: number, bytes: number): Pulled => ({ kind: 'over', left: { messages, bytes } });
const pulled: Record<string, Pulled> = {
  a: message(1, 10),
  b: message(2, 10),
  c: message(3, 10),
  g: message(4, 90),
  k: message(5, 100),
  o: over(2, 100),
  e: over(1, 1),
  h: { kind: 'alive' },
};
const out = { A: stored(1), B: stored(2), C: stored(3), G: stored(4), K: stored(5) };
const lost = new Error('lost');

const now = () => asyncScheduler.now(); // virtual

/** Rounds of two messages and 100 bytes, and when they were asked for. */
const world = (backpressure: Backpressure = noBackpressure) => {
  const asked: number[] = [];
  const deps = { round: { messages: 2, bytes: 100 }, beatMs: 10, backpressure, lost: () => lost };
  return { asked, deps: { ...deps, ask: () => void asked.push(now()) } };
};

describe('readRounds', () => {
  it(
    'asks for two rounds, and for another one whenever one is left by messages',
    marbles(({ hot, expectObservable, flush }) => {
      const { asked, deps } = world();
      const pulled$ = hot('-a-b-c---g-', pulled);
      expectObservable(pulled$.pipe(readRounds(deps)), '-----------!').toBe('-A-B-C---G-', out);
      flush();
      expect(asked).toEqual([0, 0, 3, 9]);
    }),
  );

  it(
    'asks for another one whenever one is left by bytes',
    marbles(({ hot, expectObservable, flush }) => {
      const { asked, deps } = world();
      expectObservable(hot('-a-k', pulled).pipe(readRounds(deps)), '----!').toBe('-A-K', out);
      flush();
      expect(asked).toEqual([0, 0, 3]);
    }),
  );

  it(
    'waits without limit for a reader that is full once all that was asked for has come, and counts its bytes as read',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { asked, deps } = world({ isFull: () => now() < 80, drain$: cold('80ms d') });
      expectObservable(hot('-abca 80ms k', pulled).pipe(readRounds(deps)), '90ms !').toBe('-ABCA 80ms K', out);
      flush();
      expect(asked).toEqual([0, 0, 80, 80, 85]);
    }),
  );

  it(
    'asks again if a round ends with something left',
    marbles(({ hot, expectObservable, flush }) => {
      const { asked, deps } = world();
      expectObservable(hot('-o-o-e', pulled).pipe(readRounds(deps)), '------!').toBe('------', out);
      flush();
      expect(asked).toEqual([0, 0, 1, 3]);
    }),
  );

  it(
    'asks for nothing more while the queue ahead is full, and when it drains for what is missing',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { asked, deps } = world({ isFull: () => true, drain$: cold('20ms d') });
      expectObservable(hot('-ab-h', pulled).pipe(readRounds(deps)), '25ms !').toBe('-AB', out);
      flush();
      expect(asked).toEqual([0, 0, 20]);
    }),
  );

  it(
    'errors when a consumer that was asked is silent for three heartbeats',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-----a-----', pulled).pipe(readRounds(world().deps))).toBe('-----A 34ms #', out, lost);
      expectObservable(hot('25ms h', pulled).pipe(readRounds(world().deps))).toBe('60ms #', {}, lost);
    }),
  );

  it(
    'errors with its source, and stops with its reader',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-#', pulled).pipe(readRounds(world().deps))).toBe('-A-#', out);
      const pulled$ = hot('-a---', pulled);
      expectObservable(pulled$.pipe(readRounds(world().deps)), '--!').toBe('-A-', out);
      expectSubscriptions(pulled$.subscriptions).toBe('^-!');
    }),
  );
});
