/** Exports calls as OTLP/JSON traces. Source: OTLP 1.x, JSON encoding; semantic conventions of RPC and MCP. */
import { isObject } from '../protocol/jsonrpc';
import { type TimedCall, timedCalls } from './timedCalls';
import type { NamedIndex } from './toHar';

/** The text of a file of traces: one trace for each session, one span for each call. @param scope names this program */
export const toOtlp = (sessions: readonly NamedIndex[], scope: { name: string; version: string }): string => {
  const resourceSpans = sessions.map(({ name, index }, i) => {
    const { server } = index.parties;
    const serverName = isObject(server) && typeof server.name === 'string' ? server.name : 'mcp-server';
    const calls = timedCalls(index);
    const traceId = toHex(Math.round(calls[0]?.startMs ?? 0), 16) + toHex(i + 1, 16);
    return {
      resource: { attributes: [attribute('service.name', serverName), attribute('codex_rx.tape', name)] },
      scopeSpans: [{ scope, spans: calls.map((call) => toSpan(call, traceId)) }],
    };
  });
  return `${JSON.stringify({ resourceSpans })}\n`;
};

const toHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const spanOf = (number: number): string => toHex(number + 1, 16);
const toNano = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
});

const SERVER = 2;
const CLIENT = 3;
const OK = 1;
const ERROR = 2;

const toSpan = (call: TimedCall, traceId: string) => {
  const { number, parent, from, label, method, outcome, startMs, endMs = startMs, request } = call;
  return {
    traceId,
    spanId: spanOf(number),
    ...(parent !== undefined && { parentSpanId: spanOf(parent) }),
    name: label,
    kind: from === 'client' ? SERVER : CLIENT,
    startTimeUnixNano: toNano(startMs),
    endTimeUnixNano: toNano(endMs),
    attributes: [
      attribute('rpc.system', 'jsonrpc'),
      attribute('rpc.method', method),
      attribute('mcp.method.name', method),
      attribute('codex_rx.outcome', outcome),
      attribute('codex_rx.line', request.lineNumber),
    ],
    status: outcome === 'answered' ? { code: OK } : { code: ERROR, message: outcome },
  };
};
