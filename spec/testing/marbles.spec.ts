import { delay } from 'rxjs';
import type { TimedEvent } from '../../src/streams/marbles/marbles';
import { alignMarbles, assertMarbles, marbles, terminalColumns } from '../../src/testing/marbles';

const event = (frame: number, value: string): TimedEvent => ({ frame, notification: { kind: 'N', value } });
const long = Array.from({ length: 100 }, (_, i) => event(2 * i, 'a'));
const other = long.with(60, event(120, 'b'));

/** The longest line of a drawing, without its headline. */
const widthOf = (text: string): number =>
  Math.max(
    ...text
      .split('\n')
      .slice(1)
      .map(({ length }) => length),
  );

/** What fails while the environment names this terminal. */
const failure = (columns: string, run: () => void): string => {
  const { env, stdout } = process;
  const before = [env.COLUMNS, stdout.columns] as const;
  Object.assign(env, { COLUMNS: columns });
  Object.assign(stdout, { columns: undefined });
  try {
    run();
  } catch (error) {
    return String(error);
  } finally {
    if (before[0] === undefined) delete env.COLUMNS;
    else env.COLUMNS = before[0];
    Object.assign(stdout, { columns: before[1] });
  }
  return '';
};

describe('marbles, assertMarbles and alignMarbles', () => {
  it('draw as wide as the terminal of the specs', () => {
    const row = (letter: string) => `${'a-'.repeat(60)}${letter}|`;
    const run = marbles(({ hot, expectObservable }) => expectObservable(hot(row('b')).pipe(delay(0))).toBe(row('a')));
    for (const one of [run, () => assertMarbles(other, long)]) {
      expect([50, 80, 120].map((columns) => widthOf(failure(`${columns}`, one)) <= columns)).toEqual([
        true,
        true,
        true,
      ]);
      expect(widthOf(failure('120', one))).toBeGreaterThan(60);
    }
    expect(failure('50', () => expect(widthOf(alignMarbles(other, long))).toBeLessThanOrEqual(50))).toBe('');
  });

  it('pass where nothing differs', () => {
    expect(
      failure(
        '40',
        marbles(({ hot, expectObservable }) => expectObservable(hot('a|')).toBe('a|')),
      ),
    ).toBe('');
    expect([alignMarbles(long, long), failure('40', () => assertMarbles(long, long))]).toEqual(['', '']);
  });
});

describe('terminalColumns', () => {
  it.each([
    ['the terminal', 132, {}, 132],
    ['the terminal before the environment', 132, { COLUMNS: '60' }, 132],
    ['the environment of a worker', undefined, { COLUMNS: '60' }, 60],
    ['80 without a terminal', undefined, {}, 80],
    ['80 for what is no number', undefined, { COLUMNS: 'wide' }, 80],
    ['40 at least', 12, {}, 40],
  ])('are those of %s', (_, columns, env, expected) => {
    expect(terminalColumns({ stdout: { columns }, env })).toBe(expected);
  });
});
