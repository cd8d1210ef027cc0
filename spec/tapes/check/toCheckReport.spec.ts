import type { CheckedSession } from '../../../src/tapes/check/finding';
import { isEnough, isPassed, toCheckReport } from '../../../src/tapes/check/toCheckReport';
import { faultsOf, HOSTILE } from '../../support/hostile';

const sessions: CheckedSession[] = [
  { name: 'a', calls: 3, findings: [] },
  {
    name: 'b',
    calls: 1,
    findings: [{ rule: 'hung', lineNumber: 7, what: 'ping', text: 'the server never responded' }],
  },
  { name: 'c', calls: 0, findings: [], problem: 'it holds no tape' },
];

describe('toCheckReport', () => {
  it('writes text', () => {
    expect(toCheckReport('text', sessions).split('\n')).toEqual([
      'PASSED: a: 3 calls',
      'FAILED: b',
      '  hung: ping (line 7): the server never responded',
      'CANNOT BE USED: c: it holds no tape',
      '3 sessions: 1 passed, 1 failed, 1 cannot be used',
      '',
    ]);
  });

  it('writes what was injected, which is no failure', () => {
    const finding = { rule: 'injected', lineNumber: 7, what: 'ping', text: 'the request is lost' } as const;
    const injected: CheckedSession = { name: 'a', calls: 1, findings: [finding] };
    expect(isPassed(injected)).toBe(true);
    expect(toCheckReport('text', [injected])).toMatch(
      /^PASSED: a: 1 call\n {2}injected: ping \(line 7\): the request is/,
    );
    expect(toCheckReport('junit', [injected])).toContain('failures="0" errors="0" skipped="1"');
  });

  it('writes JSON and JUnit', () => {
    expect(JSON.parse(toCheckReport('json', sessions))).toEqual({ passed: false, sessions });
    expect(toCheckReport('junit', sessions).match(/<testsuites .*>/)?.[0]).toBe(
      '<testsuites tests="3" failures="1" errors="1" skipped="0">',
    );
    expect(sessions.map(isPassed)).toEqual([true, false, false]);
  });

  it.each(['text', 'junit'] as const)('writes a text of several lines in one, as %s', (format) => {
    const finding = { rule: 'error', lineNumber: 1, what: 'ping', text: 'one\r\n  two\nthree\n' } as const;
    expect(toCheckReport(format, [{ name: 'a', calls: 1, findings: [finding] }])).toContain('one two three');
  });

  it.each(['text', 'json', 'junit'] as const)('shows what would command a terminal, as %s', (format) => {
    const report = toCheckReport(format, [
      { name: HOSTILE, calls: 1, findings: [{ rule: 'noise', lineNumber: 1, what: HOSTILE, text: HOSTILE }] },
      { name: HOSTILE, calls: 0, findings: [], problem: HOSTILE },
    ]);
    expect(faultsOf(report)).toEqual([]);
  });
});

describe('a report on coverage', () => {
  const groups = [{ name: 'tools', covered: 1, total: 2, missing: ['b'] }];
  const coverage = { percent: 50, covered: 1, total: 2, groups, errorCodes: {}, minPercent: 60 };

  it('follows the sessions, and fails below the least percentage', () => {
    expect(toCheckReport('text', [], coverage).split('\n')).toEqual([
      '0 sessions: 0 passed, 0 failed, 0 cannot be used',
      'COVERAGE: 50 %, 1 of 2',
      '  tools  1 of 2  not b',
      '  less than the 60 % of --min-coverage',
      '',
    ]);
    expect(JSON.parse(toCheckReport('json', [], coverage))).toEqual({ passed: false, sessions: [], coverage });
    expect(toCheckReport('junit', [], coverage)).toContain('failures="1"');
  });

  it('passes from the least percentage on, and if there is none', () => {
    for (const minPercent of [50, undefined]) {
      expect(isEnough({ ...coverage, minPercent })).toBe(true);
      expect(toCheckReport('junit', [], { ...coverage, minPercent })).toContain('failures="0"');
    }
    expect(isEnough(undefined)).toBe(true);
  });
});
