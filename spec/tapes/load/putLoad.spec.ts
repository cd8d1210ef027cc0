import fc from 'fast-check';
import { delay, map, NEVER, of, throwError } from 'rxjs';
import type { LaneResult } from '../../../src/tapes/diff/compare';
import {
  type LoadPlan,
  type LoadPorts,
  type LoadReport,
  latencyAt,
  NO_LATENCIES,
  putLoad,
  withLatencies,
} from '../../../src/tapes/load/putLoad';
import { marbles } from '../../support/marbles';
import { sessionFrom } from '../../support/tapes';

const call = (id: number, ms: number, body: object): Parameters<typeof sessionFrom> => [
  [0, 'in', { id, method: 'tools/call', params: { name: 'a' } }],
  [ms, 'out', { id, ...body }],
];
const same = sessionFrom(...call(1, 3, { result: {} }));
const failed = sessionFrom(...call(1, 5, { error: { code: 1, message: 'no' } }));
const open = sessionFrom([0, 'in', { id: 1, method: 'ping' }]);

const lane = { label: 'a', lineNumber: 1, recorded: [], now: [] };
const difference: LaneResult = { ...lane, difference: { at: 0, values: [] } };

/** Plays take three frames and end as the session is; `failed` and `open` differ. */
const ports = (own: Partial<LoadPorts<typeof same>> = {}): LoadPorts<typeof same> => ({
  play: (now) => of({ now, results: [now === same ? lane : difference] }).pipe(delay(3)),
  memory: () => undefined,
  stop$: NEVER,
  ...own,
});

const once: LoadPlan = { times: 1, parallel: 1 };

const brief = ({ runs, differing, first, durationMs, methods }: LoadReport) => ({
  runs,
  differing,
  first: first?.run,
  durationMs,
  methods: methods.map(({ method, errors, latencies }) => [method, latencies.count, errors, latencies.maxMs]),
});

describe('putLoad', () => {
  it(
    'plays each session so often, several at once, and measures',
    marbles(({ expectObservable }) => {
      const report = putLoad(ports(), [same, failed], { times: 2, parallel: 2 }).pipe(map(brief));
      expectObservable(report).toBe('------(R|)', {
        R: { runs: 4, differing: 2, first: 2, durationMs: 6, methods: [['tools/call a', 4, 2, 5]] },
      });
    }),
  );

  it(
    'keeps the first run that differs, and counts a request without a response as an error',
    marbles(({ expectObservable }) => {
      const load = putLoad(ports(), [same, open], { times: 2, parallel: 1 });
      const methods = [
        ['tools/call a', 2, 0, 3],
        ['ping', 0, 2, 0],
      ];
      expectObservable(load.pipe(map((report) => ({ ...brief(report), now: report.first?.now })))).toBe(
        '------------(R|)',
        { R: { runs: 4, differing: 2, first: 2, durationMs: 12, methods, now: open } },
      );
    }),
  );

  it(
    'is empty without a session',
    marbles(({ expectObservable }) => {
      expectObservable(putLoad(ports(), [], once).pipe(map(brief))).toBe('(R|)', {
        R: { runs: 0, differing: 0, first: undefined, durationMs: 0, methods: [] },
      });
    }),
  );

  it(
    'reports what was played when it is stopped, and stops what plays',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const second = cold('-----a|', { a: { now: same, results: [] } });
      let played = 0;
      const play = () => (played++ === 0 ? of({ now: same, results: [] }).pipe(delay(1)) : second);
      const stopped = putLoad(ports({ play, stop$: cold('----s') }), [same], { times: 9, parallel: 1 });
      expectObservable(stopped.pipe(map(({ runs }) => runs))).toBe('----(1|)', { 1: 1 });
      expectSubscriptions(second.subscriptions).toBe('-^--!');
    }),
  );

  it(
    'errors with the first run that errors, such as a command that cannot be started',
    marbles(({ expectObservable }) => {
      const play = () => throwError(() => 'no such program');
      expectObservable(putLoad(ports({ play }), [same], once)).toBe('#', undefined, 'no such program');
    }),
  );

  it(
    'looks at the memory while it plays, and joins the parts of a long time',
    marbles(({ expectObservable }) => {
      const slow = (ms: number) => {
        let bytes = 0;
        const play = (now: typeof same) => of({ now, results: [] }).pipe(delay(ms));
        return putLoad(ports({ play, memory: () => ++bytes }), [same], once).pipe(
          map(({ memory: { everyMs, parts } }) => [everyMs, parts.length, parts[0], parts.at(-1)]),
        );
      };
      expectObservable(slow(1_100)).toBe('1100ms (R|)', { R: [250, 5, 0, 4] });
      expectObservable(slow(40_100)).toBe('40100ms (R|)', { R: [1_000, 41, 3, 160] });
    }),
  );
});

describe('latencyAt', () => {
  it('is within one percent of the time that this part did not exceed', () => {
    const times = fc.array(fc.double({ min: 0.01, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(times, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(300), (all, part, cut) => {
        const counted = withLatencies(withLatencies(NO_LATENCIES, all.slice(0, cut)), all.slice(cut));
        const exact = all.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(all.length * part) - 1)] as number;
        expect(Math.abs((latencyAt(counted, part) as number) / exact - 1)).toBeLessThan(0.0101);
        expect(latencyAt(counted, part)).toBeLessThanOrEqual(counted.maxMs);
      }),
    );
  });

  it('keeps few numbers of many times', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => (i * 7_919) % 3_600_000);
    const counted = withLatencies(NO_LATENCIES, times);
    expect(counted).toMatchObject({ count: 100_000, maxMs: Math.max(...times) });
    expect(counted.buckets.size).toBeLessThan(1_200);
  });

  it('is null without a time, and 0 for times of 0', () => {
    expect(latencyAt(NO_LATENCIES, 0.5)).toBeNull();
    expect(latencyAt(withLatencies(NO_LATENCIES, [0, 0]), 0.999)).toBe(0);
  });
});
