import { defer, Observable, of, subscribeOn } from 'rxjs';
import { atOnce, inTurns, type Pausing, startsInTurns, workInTurns } from '../../src/streams/pausing';
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

describe('inTurns', () => {
  /** Runs work whose steps take 6 ms each; the log has its steps, the turns of the event loop, and what it emitted. */
  const running = (steps: number) => {
    let nowMs = 0;
    const turns: (() => void)[] = [];
    const seen: string[] = [];
    const starts = startsInTurns({ now: () => nowMs, soon: (run) => void turns.push(run) });
    function* work(): Pausing<string> {
      try {
        for (let step = 1; step < steps; step += 1) {
          nowMs += 6;
          seen.push(`step ${step}`);
          yield;
        }
        return 'result';
      } finally {
        seen.push('finally');
      }
    }
    const out$ = inTurns(starts, work);
    const turn = (): void => {
      seen.push('|');
      turns.shift()?.();
    };
    return {
      out$,
      seen,
      turn,
      observer: { next: (value: string) => seen.push(value), complete: () => seen.push('end') },
    };
  };

  it('emits at once what takes less than a turn, for each subscriber', () => {
    const { out$, seen, observer } = running(2);
    expect(seen).toEqual([]);
    out$.subscribe(observer);
    out$.subscribe(observer);
    expect(seen).toEqual(['step 1', 'finally', 'result', 'end', 'step 1', 'finally', 'result', 'end']);
  });

  it('pauses long work until the next turn', () => {
    const { out$, seen, turn, observer } = running(6);
    out$.subscribe(observer);
    for (let i = 0; i < 3; i += 1) turn();
    const begin = ['step 1', 'step 2', '|', 'step 3', 'step 4', '|', 'step 5', 'finally', 'result', 'end'];
    expect(seen).toEqual([...begin, '|']);
  });

  it('ends the work if nobody waits for it any more', () => {
    const { out$, seen, turn, observer } = running(6);
    const subscription = out$.subscribe(observer);
    turn();
    subscription.unsubscribe();
    turn();
    expect(seen).toEqual(['step 1', 'step 2', '|', 'step 3', 'step 4', 'finally', '|']);
  });

  it('errors with what the work throws', () => {
    function* broken(): Pausing<never> {
      yield;
      throw new Error('no');
    }
    marbles(({ expectObservable }) => {
      const starts = startsInTurns({ now: () => 0, soon: (run) => run() });
      expectObservable(inTurns(starts, broken)).toBe('#', {}, new Error('no'));
    })();
  });
});
