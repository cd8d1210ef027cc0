import { concatMap, type OperatorFunction, scan } from 'rxjs';
import { compare } from '../../../src/tapes/diff/compare';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { playAgainst } from '../../support/tapes';
import { polled, response, states } from '../tasks';

type Message = { id: number; method: string; params: { taskId?: string } };

const index = toSessionIndex(polled);

/**
 * A server whose task has another id. It is in one of these states at each poll: w works, q asks, d done. After the last one it stays.
 */
const serverWith =
  (row: string): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      scan<string, { at: number; output: string[] }>(
        ({ at }, line) => {
          const { id, method, params } = JSON.parse(line) as Message;
          const { created, working, asks, done } = statesNow;
          const found = { w: working, q: asks, d: done }[row[Math.min(at, row.length - 1)] as 'w' | 'q' | 'd'];
          const isOwn = params.taskId === 'job-0f9e8d';
          if (method === 'tools/call') return { at, output: [JSON.stringify(response(id, created))] };
          if (!isOwn) return { at, output: [JSON.stringify({ id, error: { code: -32602, message: 'unknown' } })] };
          if (method === 'tasks/update') return { at, output: [JSON.stringify(response(id, {}))] };
          return { at: at + 1, output: [JSON.stringify(response(id, found))] };
        },
        { at: 0, output: [] },
      ),
      concatMap(({ output }) => output),
    );

const statesNow = states('job-0f9e8d');

const differing = (row: string): string[] =>
  compare(index, toSessionIndex(playAgainst(index, serverWith(row))), ALL_MASKS)
    .filter(({ difference }) => difference !== undefined)
    .map(({ label, lineNumber }) => `${label} ${lineNumber}`);

describe('a played client', () => {
  it.each([
    ['that takes as many polls', 'wqwd'],
    ['that works for longer', 'wwwwwqwwwwwwd'],
    ['that asks at once', 'qqd'],
    ['that is done at once after the answer', 'wqd'],
  ])('finds the same in a server %s', (_, row) => {
    expect(differing(row)).toEqual([]);
  });

  it('finds a task that never asks, and a task that asks for ever', () => {
    expect(differing('wd')).toEqual(['tasks/get 5', 'tasks/get 11']);
    expect(differing('wq')).toEqual(['tasks/get 11']);
  });

  it('sends repeated polls under new ids', () => {
    const { entries } = playAgainst(index, serverWith('wwwqwd'));
    const ids = entries.flatMap(({ entry }) => (entry.dir === 'in' ? [JSON.parse(entry.line).id] : []));
    expect(ids).toEqual([1, 2, 3, 1_000_000_001, 1_000_000_002, 4, 5, 6]);
  });
});
