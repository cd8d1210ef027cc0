import { toOtlp } from '../../src/check';
import { index, program, STARTED } from './support';

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const nano = (ms: number): string => `${BigInt(ms * 1_000) * 1_000n}`;
const span = (
  [spanId, name, kind]: [string, string, number],
  [startMs, endMs]: [number, number],
  { method = name, outcome, line, ...own }: { method?: string; outcome: string; line: number; parentSpanId?: string },
) => ({
  ...{ traceId: `${STARTED.toString(16).padStart(16, '0')}0000000000000001`, spanId, name, kind, ...own },
  ...{ startTimeUnixNano: nano(STARTED + startMs), endTimeUnixNano: nano(STARTED + endMs) },
  attributes: [
    ...[text('rpc.system', 'jsonrpc'), text('rpc.method', method), text('mcp.method.name', method)],
    ...[text('codex_rx.outcome', outcome), { key: 'codex_rx.line', value: { intValue: `${line}` } }],
  ],
  status: outcome === 'answered' ? { code: 1 } : { code: 2, message: outcome },
});
const [A, B, C] = ['0000000000000001', '0000000000000002', '0000000000000003'] as const;

describe('toOtlp', () => {
  it('has a span for each call, that of a request of the server below that of its call', () => {
    expect(JSON.parse(toOtlp([{ name: 't', index }], program))).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', 'mcp-server'), text('codex_rx.tape', 't')] },
          scopeSpans: [
            {
              scope: program,
              spans: [
                span([A, 'tools/call a', 2], [0, 20.5], { method: 'tools/call', outcome: 'failed', line: 1 }),
                span([B, 'elicitation/create', 3], [5, 10], { outcome: 'answered', line: 2, parentSpanId: A }),
                span([C, 'ping', 2], [30, 30], { outcome: 'open', line: 5 }),
              ],
            },
          ],
        },
      ],
    });
  });

  it('names the server, and gives each session a trace of its own', () => {
    const named = { ...index, parties: { server: { name: 's' } } };
    const { resourceSpans } = JSON.parse(
      toOtlp(
        [
          { name: 'a', index: named },
          { name: 'b', index },
        ],
        program,
      ),
    );
    expect(resourceSpans[0].resource.attributes[0]).toEqual(text('service.name', 's'));
    const traces = resourceSpans.map(
      (one: { scopeSpans: { spans: { traceId: string }[] }[] }) => one.scopeSpans[0]?.spans[0]?.traceId,
    );
    expect(new Set(traces).size).toBe(2);
  });
});
