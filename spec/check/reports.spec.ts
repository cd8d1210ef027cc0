import { type CheckedSession, isPassed, toCheckReport, toHar, toOtlp } from '../../src/check';
import { toSessionIndex } from '../../src/session';
import { faultsOf, HOSTILE } from '../support/hostile';
import { sessionFrom } from '../support/tapes';

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

  it('writes JSON and JUnit', () => {
    expect(JSON.parse(toCheckReport('json', sessions))).toEqual({ passed: false, sessions });
    expect(toCheckReport('junit', sessions).match(/<testsuites .*>/)?.[0]).toBe(
      '<testsuites tests="3" failures="1" errors="1" skipped="0">',
    );
    expect(sessions.map(isPassed)).toEqual([true, false, false]);
  });

  it.each(['text', 'json', 'junit'] as const)('shows what would command a terminal, as %s', (format) => {
    const report = toCheckReport(format, [
      { name: HOSTILE, calls: 1, findings: [{ rule: 'noise', lineNumber: 1, what: HOSTILE, text: HOSTILE }] },
      { name: HOSTILE, calls: 0, findings: [], problem: HOSTILE },
    ]);
    expect(faultsOf(report)).toEqual([]);
  });
});

const index = toSessionIndex({
  ...sessionFrom(
    [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 1 } } }],
    [5, 'out', { id: 'q', method: 'elicitation/create', params: { _meta: { progressToken: 1 } } }],
    [10, 'in', { id: 'q', result: {} }],
    [20.5, 'out', { id: 1, error: { code: -1, message: 'no' } }],
    [30, 'in', { id: 2, method: 'ping' }],
  ),
  meta: { started: '2026-11-22T10:00:00.000Z' },
});
const program = { name: 'codex-rx', version: '1' };

describe('toHar', () => {
  it('has an entry for each call, with its times and bodies', () => {
    const { log } = JSON.parse(toHar([{ name: 't', index }], program));
    expect(log.pages).toMatchObject([{ id: 'session_1', title: 't', startedDateTime: '2026-11-22T10:00:00.000Z' }]);
    expect(
      log.entries.map((one: { request: { url: string }; response: { status: number }; time: number }) => [
        one.request.url,
        one.response.status,
        one.time,
      ]),
    ).toEqual([
      ['mcp://server/tools/call%20a', 500, 20.5],
      ['mcp://client/elicitation/create', 200, 5],
      ['mcp://server/ping', 0, 0],
    ]);
    expect(JSON.parse(log.entries[0].response.content.text)).toEqual({ id: 1, error: { code: -1, message: 'no' } });
  });
});

describe('toOtlp', () => {
  it('has a span for each call, that of a request of the server below that of its call', () => {
    const { resourceSpans } = JSON.parse(toOtlp([{ name: 't', index }], program));
    const [{ resource, scopeSpans }] = resourceSpans;
    expect(resource.attributes[0]).toEqual({ key: 'service.name', value: { stringValue: 'mcp-server' } });
    const { spans } = scopeSpans[0];
    expect(spans[0]).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: '0000000000000001',
      name: 'tools/call a',
      startTimeUnixNano: '1795341600000000000',
      endTimeUnixNano: '1795341600020500000',
      status: { code: 2, message: 'failed' },
    });
    expect(spans.map(({ parentSpanId }: { parentSpanId?: string }) => parentSpanId)).toEqual([
      undefined,
      '0000000000000001',
      undefined,
    ]);
  });
});
