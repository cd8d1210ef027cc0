import fc from 'fast-check';
import { map } from 'rxjs';
import { randomOf } from '../../../src/streams/random';
import {
  type Change,
  changeableCalls,
  fuzzSession,
  type ShownFault,
  shrinkChange,
  withChange,
} from '../../../src/tapes/fuzz/fuzzSession';
import { offersOf } from '../../../src/tapes/offers/offers';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';
import { playAgainst, sessionFrom } from '../../support/tapes';

const call = (id: number, name: string, own: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { value: id }, ...own },
});
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} });

const recorded = sessionFrom(
  [0, 'in', { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } }],
  [1, 'out', answer(0)],
  [2, 'in', call(1, 'a', { _meta: { progressToken: 7, trace: 'x' } })],
  [3, 'out', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1 } }],
  [4, 'out', answer(1)],
  [5, 'in', call(2, 'b')],
  [6, 'in', { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} }],
  [7, 'out', answer(3)],
  [8, 'out', answer(2)],
  [9, 'note', 'standard input closed'],
  [10, 'exit', { code: 0, sig: null }],
);
const index = toSessionIndex(recorded);
const offers = offersOf({
  tools: [{ name: 'a', inputSchema: { type: 'object', properties: { value: { type: 'number' } } } }],
});
const [first, second] = changeableCalls(index);

describe('changeableCalls', () => {
  it('are requests that have params and a response, but for the handshake', () => {
    expect(changeableCalls(index).map(({ label }) => label)).toEqual(['tools/call a', 'tools/call b']);
  });

  it('are none of a debug adapter, of a server, or of a client whose input has ended', () => {
    const others = sessionFrom(
      [0, 'in', { seq: 1, type: 'request', command: 'launch', arguments: { a: 1 } }],
      [1, 'out', { seq: 2, type: 'response', request_seq: 1, command: 'launch', success: true }],
      [2, 'out', call(1, 'a')],
      [3, 'in', answer(1)],
      [4, 'in', call(2, 'a')],
      [5, 'note', 'standard input closed'],
      [6, 'out', answer(2)],
    );
    expect(changeableCalls(toSessionIndex(others))).toEqual([]);
  });
});

describe('fuzzSession', () => {
  const linesOf = (session: typeof recorded, dir: string) =>
    session.entries.filter(({ entry }) => entry.dir === dir).map(({ entry }) => JSON.parse(entry.line));

  it('adds a changed copy after the response, and ends with the last of them', () => {
    const { session, changes } = fuzzSession(randomOf(1), { index, offers }, [first?.call as never]);
    const [, original, copy, ...more] = linesOf(session, 'in');
    expect([original, more]).toEqual([call(1, 'a', { _meta: { progressToken: 7, trace: 'x' } }), []]);
    expect(copy).toMatchObject({
      id: 1_500_000_000,
      method: 'tools/call',
      params: { name: 'a', _meta: { trace: 'x' } },
    });
    expect(copy.params._meta).toEqual({ trace: 'x' });
    expect(session.entries.map(({ entry: { dir } }) => dir)).toEqual([
      'in',
      'out',
      'in',
      'out',
      'in',
      'out',
      'note',
      'exit',
    ]);
    expect([...changes]).toEqual([
      [1_500_000_000, expect.objectContaining({ label: 'tools/call a', fits: expect.any(Boolean) })],
    ]);
  });

  it('knows whether a schema allows a change, and of none without a schema', () => {
    const calls = Array.from({ length: 200 }, () => first?.call as never);
    const all = [...fuzzSession(randomOf(1), { index, offers }, calls).changes.values()];
    expect(all.filter(({ text }) => text === 'value: 1 became null').map(({ fits }) => fits)).toContain(false);
    expect(all.filter(({ text }) => text === 'value: 1 became 0').map(({ fits }) => fits)).toContain(true);
    const [unknown] = fuzzSession(randomOf(1), { index, offers }, [second?.call as never]).changes.values();
    expect(unknown).not.toHaveProperty('fits');
  });

  it('can have another change in the same request', () => {
    const { session, changes } = fuzzSession(randomOf(1), { index, offers }, [first?.call as never]);
    const [[id, change]] = [...changes] as [[number, typeof changes extends ReadonlyMap<number, infer C> ? C : never]];
    const other = withChange(session, id, { ...change, params: { name: 'a' } });
    expect(linesOf(other, 'in')).toEqual(
      linesOf(session, 'in').map((line) => (line.id === id ? { ...line, params: { name: 'a' } } : line)),
    );
  });

  it('is played as a whole: each copy comes after the original, and has an id of its own', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(fc.constantFrom(first, second), { minLength: 1, maxLength: 6 }),
        (seed, chosen) => {
          const calls = chosen.map((one) => one?.call as never);
          const { session, changes } = fuzzSession(randomOf(seed), { index, offers }, calls);
          const numbers = session.entries.map(({ lineNumber }) => lineNumber);
          expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
          const now = playAgainst(toSessionIndex(session), (line$) =>
            line$.pipe(map((line) => JSON.stringify(answer(JSON.parse(line).id)))),
          );
          const ids = linesOf(now, 'in').map(({ id }) => id);
          expect(ids.filter((id) => changes.has(id)).toSorted()).toEqual([...changes.keys()]);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.slice(0, 2)).toEqual([0, 1]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('shrinkChange', () => {
  it(
    'goes on from each smaller value that shows the fault, and tries none twice',
    marbles(({ cold, expectObservable }) => {
      const trials: unknown[] = [];
      const tryChange = ({ params: { n } }: Change) => {
        trials.push(n);
        return cold('-(a|)').pipe(map(() => (Number(n) > 2 ? session(Number(n)) : undefined)));
      };
      const found$ = shrinkChange(start(8), tryChange, 100).pipe(
        map(({ change, now, runs }) => ({ text: change.text, now, runs, trials })),
      );
      expectObservable(found$).toBe('-----(f|)', {
        f: { text: 'n is 3', now: session(3), runs: 6, trials: [0, 4, 2, 3, 1] },
      });
    }),
  );

  it(
    'ends after so many trials, at once without a smaller value, and with an error of a trial',
    marbles(({ cold, expectObservable }) => {
      const found = (n: number, maxRuns: number, trial: string) =>
        shrinkChange(start(n), () => cold(trial).pipe(map(() => session(n))), maxRuns).pipe(map(({ runs }) => runs));
      expectObservable(found(8, 2, '-(a|)')).toBe('-(r|)', { r: 2 });
      expectObservable(found(0, 9, '-(a|)')).toBe('(r|)', { r: 1 });
      expectObservable(found(8, 9, '-#')).toBe('-#');
    }),
  );
});

const session = (n: number) => ({ meta: { n }, entries: [] });

/** A change to a number, which smaller numbers can replace. */
const changeTo = (n: number): Change => ({
  label: 'tools/call a',
  text: `n is ${n}`,
  params: { n },
  smaller: () => (n === 0 ? [] : [0, Math.floor(n / 2), n - 1].map(changeTo)),
});

const start = (n: number): ShownFault => ({ change: changeTo(n), now: session(n), runs: 1 });
