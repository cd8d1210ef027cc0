import { fuzz, toFuzzReport } from '../../../src/cli/commands/fuzz';
import type { FuzzReport } from '../../../src/cli/tapes/startFuzzing';
import { givenBy, problemBy } from '../reading';

const fault = {
  kind: 'crash',
  what: 'tools/call a',
  text: 'the server ended\u001b',
  key: 'k',
  run: 3,
  lines: 1,
} as const;
const change = { label: 'tools/call a', text: 'b: 1 became null', fits: false };
const report: FuzzReport = {
  runs: 9,
  changes: 90,
  faults: [
    { ...fault, change, tape: 'fault.jsonl' },
    { ...fault, kind: 'hang', lines: 2 },
  ],
  known: [{ kind: 'noise', what: 'a line', text: 'x', key: 'n', id: 1 }],
};

const PLAN = { seed: 7, runs: 9 };

describe('fuzz', () => {
  it('takes a tape and a command', () => {
    expect(givenBy(fuzz, 't', '--seed', '7', '--', 'x')).toEqual({
      file: 't',
      session: undefined,
      seed: 7,
      runs: 100,
      'max-runs': 100,
      timeout: 10,
      'allow-redacted': false,
      out: undefined,
      report: 'text',
      command: ['x'],
    });
    expect(problemBy(fuzz, 't')).toBe('There is no server to run: write its command after --');
  });
});

describe('toFuzzReport', () => {
  it('names each fault, the change that brings it about, and its tape, without control characters', () => {
    expect(toFuzzReport('text', report, PLAN).split('\n')).toEqual([
      'CRASH: tools/call a (run 3): the server ended\\x1b',
      '  b: 1 became null, which the schema does not allow',
      '  fault.jsonl: 1 line of the client besides the handshake',
      '',
      'HANG: tools/call a (run 3): the server ended\\x1b',
      '  it takes 2 lines of the client besides the handshake',
      '',
      'FAULTS: 2 in 9 runs, 90 changed requests, seed 7',
      '',
    ]);
    expect(toFuzzReport('text', { ...report, faults: [] }, PLAN)).toBe(
      'NO FAULT: 9 runs, 90 changed requests, seed 7\n',
    );
  });

  it('names a fault that needs no change, and why there were fewer runs', () => {
    const unchanged = toFuzzReport('text', { ...report, faults: [{ ...fault, run: 0 }], end: 'exhausted' }, PLAN);
    expect(unchanged).toMatch(/^CRASH: tools\/call a \(without a change\): /);
    const cut: FuzzReport = { ...report, faults: [], end: 'interrupted' };
    expect(toFuzzReport('text', cut, { seed: 7, runs: 20 })).toBe(
      'NO FAULT: 9 of 20 runs, 90 changed requests, seed 7: interrupted\n',
    );
    expect(JSON.parse(toFuzzReport('json', cut, { seed: 7, runs: 20 }))).toMatchObject({
      runs: 9,
      planned: 20,
      end: 'interrupted',
    });
  });

  it('is JSON for a program, and JUnit with a failure for each fault', () => {
    const { key, ...shown } = fault;
    expect(JSON.parse(toFuzzReport('json', report, PLAN))).toEqual({
      passed: false,
      seed: 7,
      runs: 9,
      planned: 9,
      changes: 90,
      faults: [
        { ...shown, change, tape: 'fault.jsonl' },
        { ...shown, kind: 'hang', lines: 2 },
      ],
      known: [{ kind: 'noise', what: 'a line', text: 'x' }],
    });
    expect(toFuzzReport('junit', report, PLAN)).toContain('failures="2"');
    expect(toFuzzReport('junit', { ...report, faults: [] }, PLAN)).toContain('failures="0"');
  });
});
