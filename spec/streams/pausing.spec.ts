import { defer, Observable, of, subscribeOn } from 'rxjs';
import { atOnce, doneInTurns, type Pausing, startsInTurns, workInTurns } from '../../src/streams/pausing';
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

describe('doneInTurns', () => {
  /** Work of so many steps of 4 ms each, the beginning of each of which is noted. */
  const workOf = (steps: number) => {
    const taken: number[] = [];
    const work = function* (): Pausing<string> {
      for (let step = 1; step <= steps; step += 1) {
        taken.push(step * 4);
        if (step < steps) yield;
      }
      return 'z';
    };
    return { taken, result$: doneInTurns({ now: () => taken.length * 4 }, work) };
  };

  it(
    'works for ten ms in each turn, the first at once, and emits the result',
    marbles(({ expectObservable }) => {
      expectObservable(workOf(3).result$).toBe('(z|)');
      expectObservable(workOf(4).result$).toBe('(z|)'.padStart(4));
    }),
  );

  it('goes no further after unsubscription', () => {
    const { taken, result$ } = workOf(9);
    marbles(({ flush }) => {
      const working = result$.subscribe();
      expect(taken).toEqual([4, 8, 12]);
      working.unsubscribe();
      flush();
    })();
    expect(taken).toEqual([4, 8, 12]);
  });

  it(
    'errors with what the work throws',
    marbles(({ expectObservable }) => {
      const broken = function* (): Pausing<never> {
        yield;
        throw new TypeError('no');
      };
      expectObservable(doneInTurns({ now: () => 0 }, broken)).toBe('#', {}, new TypeError('no'));
    }),
  );
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

describe('startsInTurns', () => {
  /** Starts that take 6 ms each, those of `later` after the second turn; `left` is unsubscribed before its turn. */
  const startsOf = ({ names, later = [], left }: { names: string[]; later?: string[]; left?: string }) => {
    let nowMs = 0;
    const seen: string[] = [];
    const turns: (() => void)[] = [];
    const starts = startsInTurns({ now: () => nowMs, soon: (run) => void turns.push(run) });
    const startOf = (name: string) =>
      defer(() => {
        nowMs += 6;
        return of(name);
      }).pipe(subscribeOn(starts));
    const begin = (name: string) => {
      const subscription = startOf(name).subscribe((one) => seen.push(one));
      if (name === left) subscription.unsubscribe();
    };
    names.forEach(begin);
    for (let run = turns.shift(), turn = 1; run !== undefined; run = turns.shift(), turn += 1) {
      seen.push('|');
      run();
      if (turn === 2) later.forEach(begin);
    }
    return seen.join('');
  };

  it.each([
    ['starts one at once', { names: ['a'] }, 'a|'],
    ['lets the event loop turn after ten ms of starts, in order', { names: ['a', 'b', 'c', 'd', 'e'] }, 'ab|cd|e|'],
    ['starts at once again when the turns are over', { names: ['a', 'b', 'c'], later: ['d'] }, 'ab|c|d|'],
    ['leaves out what is unsubscribed before its turn', { names: ['a', 'b', 'c', 'd'], left: 'c' }, 'ab|d|'],
  ])('%s', (_, given, expected) => {
    expect(startsOf(given)).toBe(expected);
  });
});
