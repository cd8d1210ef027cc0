import { Observable } from 'rxjs';
import { atOnce, type Pausing, workInTurns } from '../../src/streams/pausing';
import { marbles } from '../support/marbles';

describe('atOnce', () => {
  it('has the result of the work, and what it throws', () => {
    function* sum(): Pausing<number> {
      yield;
      yield;
      return 3;
    }
    function* broken(): Pausing<never> {
      yield;
      throw new Error('no');
    }
    expect(atOnce(sum())).toBe(3);
    expect(() => atOnce(broken())).toThrow('no');
  });
});

describe('workInTurns', () => {
  /** The steps of two works, of 4 ms each, and the beginnings of turns. */
  const stepsOf = (...sizes: number[]) =>
    new Observable<string>((subscriber) => {
      let nowMs = 0;
      const turns: (() => void)[] = [];
      const queue = workInTurns({ now: () => nowMs, soon: (run) => void turns.push(run) });
      function* work(name: string): Pausing<void> {
        for (let step = 1; step < 4; step += 1) {
          nowMs += 4;
          subscriber.next(`${name}${step}`);
          if (step < 3) yield;
        }
      }
      for (const [i, size] of sizes.entries()) queue.add(work('ab'[i] as string), size);
      for (let run = turns.shift(); run !== undefined; run = turns.shift()) {
        subscriber.next('|');
        run();
      }
      subscriber.next(queue.isIdle() ? 'idle' : 'busy');
      subscriber.complete();
    });

  it(
    'works in order, for ten ms in each turn',
    marbles(({ expectObservable }) => {
      const steps = ['|', 'a1', 'a2', 'a3', '|', 'b1', 'b2', 'b3', 'idle'];
      const values = Object.fromEntries(steps.map((step, i) => ['ABCDEFGHI'[i] as string, step]));
      expectObservable(stepsOf(1, 1)).toBe('(ABCDEFGHI|)', values);
    }),
  );

  it(
    'does everything at once if too much waits',
    marbles(({ expectObservable }) => {
      const steps = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', '|', 'idle'];
      const values = Object.fromEntries(steps.map((step, i) => ['ABCDEFGH'[i] as string, step]));
      expectObservable(stepsOf(60_000_000, 8_000_000)).toBe('(ABCDEFGH|)', values);
    }),
  );
});
