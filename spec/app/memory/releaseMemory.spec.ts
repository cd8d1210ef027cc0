import { NEVER, of, tap } from 'rxjs';
import { releaseMemory } from '../../../src/app/memory/releaseMemory';
import { marbles } from '../../support/marbles';

const MB = 1_000_000;

/** A value that is the next one at each look, and the last one for good. */
const series = (values: readonly number[]) => {
  const left = [...values];
  return () => (left.length > 1 ? left.shift() : left[0]) ?? 0;
};

type Given = { heapMb: readonly number[]; busyMs?: readonly number[] };

/** A process with such a heap at each look, busy for so long at each look, and how often it was collected. */
const processOf = ({ heapMb, busyMs = [0] }: Given) => {
  const done: string[] = [];
  const heapBytes = series(heapMb.map((mb) => mb * MB));
  const collect = () => of(undefined).pipe(tap(() => done.push('collect')));
  const busy = series(busyMs);
  const look = () => {
    done.push('look');
    return busy();
  };
  return { ports: { heapBytes, collect, busyMs: look }, done };
};

const rest = ['look', 'look'];

describe('releaseMemory', () => {
  it.each<[string, string, Given, string[]]>([
    ['nothing without input', '-----', { heapMb: [90] }, []],
    ['nothing from the heap of a start', 'a', { heapMb: [9] }, rest],
    ['what was made ready behind it', 'a', { heapMb: [13, 9] }, [...rest, 'collect']],
    ['no second time so little', 'a 999ms b', { heapMb: [13, 9, 30] }, [...rest, 'collect', ...rest]],
    ['later what has grown large', 'a 999ms b', { heapMb: [13, 9, 41, 9] }, [...rest, 'collect', ...rest, 'collect']],
    ['a large heap', 'a', { heapMb: [90, 20] }, [...rest, 'collect']],
    ['a large heap once it rests', 'a', { heapMb: [90, 20], busyMs: [0, 80, 95, 104] }, [...rest, ...rest, 'collect']],
    [
      'a large heap not while it is busy for 10 ms',
      'a',
      { heapMb: [90, 20], busyMs: [0, 10, 19] },
      [...rest, 'look', 'collect'],
    ],
    ['once for what comes while it waits', 'a 99ms b 40ms c', { heapMb: [90, 20] }, [...rest, 'collect']],
    ['nothing that has not grown by half since', 'a 999ms b', { heapMb: [90, 80, 110] }, [...rest, 'collect', ...rest]],
    [
      'again what has grown by half',
      'a 999ms b',
      { heapMb: [90, 80, 130, 80] },
      [...rest, 'collect', ...rest, 'collect'],
    ],
    ['nothing after the end', 'a 99ms |', { heapMb: [90] }, ['look']],
  ])('collects %s', (_, input, given, expected) => {
    const { ports, done } = processOf(given);
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(input).pipe(releaseMemory(ports)), '5s !').toBe(input);
    })();
    expect(done).toEqual(expected);
  });

  it('does not collect again before it has', () => {
    const { ports } = processOf({ heapMb: [90] });
    let collections = 0;
    const collect = () => {
      collections += 1;
      return NEVER;
    };
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('a 999ms b').pipe(releaseMemory({ ...ports, collect })), '5s !').toBe('a 999ms b');
    })();
    expect(collections).toBe(1);
  });

  it('stops when it is unsubscribed', () => {
    const { ports, done } = processOf({ heapMb: [90] });
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('a').pipe(releaseMemory(ports)), '100ms !').toBe('a');
    })();
    expect(done).toEqual(['look']);
  });

  it(
    'errors with its source',
    marbles(({ hot, expectObservable }) => {
      const { ports } = processOf({ heapMb: [1] });
      expectObservable(hot('a-#').pipe(releaseMemory(ports))).toBe('a-#');
    }),
  );
});
