import type { CheckedSession } from '../../../src/tapes/check/finding';
import { isPassed, toCheckReport } from '../../../src/tapes/check/toCheckReport';
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
