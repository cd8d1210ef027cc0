import { toLoadReport } from '../../../src/cli/replay/putLoadOn';
import { type LoadReport, NO_LATENCIES, withLatencies } from '../../../src/tapes/load/putLoad';
import { sessionFrom } from '../../support/tapes';

const latencies = withLatencies(NO_LATENCIES, [10, 10, 10, 40]);
const load: LoadReport = {
  runs: 4,
  differing: 0,
  durationMs: 2_000,
  methods: [
    { method: 'tools/call a', errors: 1, latencies },
    { method: 'ping\u001b', errors: 2, latencies: NO_LATENCIES },
  ],
  memory: { everyMs: 250, parts: [10_000_000, 80_000_000] },
};
const results = [
  { label: 'ping', lineNumber: 1, recorded: [], now: [], difference: { at: 0, reason: 'it hangs', values: [] } },
];
const differing: LoadReport = { ...load, differing: 2, first: { run: 3, now: sessionFrom(), results } };
const report = (format: 'text' | 'json' | 'junit', one = load) =>
  toLoadReport({ format, columns: 80, name: 'tape', plan: { times: 4, parallel: 2 } }, one);

describe('toLoadReport', () => {
  it('is a table of response times, and the memory over time', () => {
    expect(report('text').split('\n')).toEqual([
      'SAME: 4 runs, 2 at once, 2.0 s, 2 requests per second',
      '',
      'ms until the response  count  errors  p50    p90  p99  p99.9  max',
      'tools/call a               4       1  10.08   40   40     40   40',
      'ping\\x1b                   0       2      -    -    -      -    -',
      '',
      'memory of the largest server: ▁█ 80 MB at most',
      '',
    ]);
  });

  it('begins with the first run that differs', () => {
    const text = report('text', differing);
    expect(text).toMatch(/^DIFFERS: ping \(line 1\)\n/);
    expect(text).toContain('DIFFERS: 2 of 4 runs, 2 at once,');
    expect(text).toContain('; the first that differed was run 3\n');
  });

  it('leaves out the memory if it is unknown', () => {
    expect(report('text', { ...load, memory: { everyMs: 250, parts: [] } })).not.toContain('memory');
  });

  it('is JSON for a program', () => {
    expect(JSON.parse(report('json', differing))).toEqual({
      same: false,
      runs: 4,
      parallel: 2,
      differing: 2,
      firstDifferingRun: 3,
      durationMs: 2_000,
      requestsPerSecond: 2,
      methods: [
        { method: 'tools/call a', count: 4, errors: 1, p50Ms: 10.08, p90Ms: 40, p99Ms: 40, p999Ms: 40, maxMs: 40 },
        { method: 'ping\u001b', count: 0, errors: 2, p50Ms: null, p90Ms: null, p99Ms: null, p999Ms: null, maxMs: null },
      ],
      memory: { maxBytes: 80_000_000, everyMs: 250, bytes: [10_000_000, 80_000_000] },
    });
  });

  it('is JUnit with the first difference, or with one test that passed', () => {
    expect(report('junit')).toMatch(/tests="1" failures="0"/);
    expect(report('junit', differing)).toContain('<failure');
  });
});
