import type { NamedIndex } from '../../../src/tapes/check/toHar';
import { toOtlp as toOtlpWith } from '../../../src/tapes/check/toOtlp';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { index, program, STARTED } from './support';

const digests: string[] = [];
/** A digest that a spec can see through: the number of the text among all. */
const digest = (of: string): string => {
  if (!digests.includes(of)) digests.push(of);
  return `${digests.indexOf(of) + 1}`.padEnd(64, '0');
};
const toOtlp = (sessions: readonly NamedIndex[], scope: typeof program) => toOtlpWith(sessions, { scope, digest });

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
type Own = { method?: string; outcome: string; line: number; parentSpanId?: string; more?: object[] };
const nano = (ms: number): string => `${BigInt(ms * 1_000) * 1_000n}`;
const span = (
  [spanId, name, kind]: [string, string, number],
  [startMs, endMs]: [number, number],
  { method = name, outcome, line, more = [], ...own }: Own,
) => ({
  traceId: `1${'0'.repeat(31)}`,
  spanId,
  name,
  kind,
  ...own,
  startTimeUnixNano: nano(STARTED + startMs),
  endTimeUnixNano: nano(STARTED + endMs),
  attributes: [
    ...[text('rpc.system', 'jsonrpc'), text('rpc.method', method), text('mcp.method.name', method), ...more],
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
                span([A, 'tools/call a', 2], [0, 20.5], {
                  method: 'tools/call',
                  outcome: 'failed',
                  line: 1,
                  more: [text('gen_ai.tool.name', 'a'), text('error.type', '-1')],
                }),
                span([B, 'elicitation/create', 3], [5, 10], { outcome: 'answered', line: 2, parentSpanId: A }),
                span([C, 'ping', 2], [30, 30], { outcome: 'open', line: 5, more: [text('error.type', 'no_response')] }),
              ],
            },
          ],
        },
      ],
    });
  });

  it('names a result that is an error, and gives a session the same trace each time', () => {
    const failed = toSessionIndex(
      sessionFrom(
        [0, 'in', { id: 1, method: 'tools/call', params: { name: 'b' } }],
        [1, 'out', { id: 1, result: { isError: true } }],
      ),
    );
    const spanIn = (text: string) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans[0];
    const once = spanIn(toOtlp([{ name: 'f', index: failed }], program));
    expect(once.attributes).toContainEqual(text('error.type', 'tool_error'));
    expect(spanIn(toOtlp([{ name: 'f', index: failed }], program)).traceId).toBe(once.traceId);
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
