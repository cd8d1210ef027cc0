/**
 * Exports calls as OTLP/JSON traces. Own code: the packages of OpenTelemetry only write spans of their own tracers; making such spans from calls takes
 * as much code.
 * Source: OTLP 1.x, JSON encoding; semantic conventions of RPC and MCP.
 */
import { isObject, wordOf } from '../../protocol/jsonrpc/json';
import type { IndexedMessage } from '../session/sessionIndex';
import { type NamedIndex, type TimedCall, timedCalls } from './toHar';

type OtlpDeps = {
  /** Names this program. */
  scope: { name: string; version: string };
  /** SHA-256 of a text in hexadecimal digits. */
  digest: (text: string) => string;
};

/** The text of a file of traces: one trace for each session, one span for each call. A trace has the same id each time it is exported. */
export const toOtlp = (sessions: readonly NamedIndex[], { scope, digest }: OtlpDeps): string => {
  const resourceSpans = sessions.map(({ name, index }) => {
    const { server } = index.parties;
    const serverName = isObject(server) && typeof server.name === 'string' ? server.name : 'mcp-server';
    const calls = timedCalls(index);
    const traceId = digest(JSON.stringify([name, calls[0]?.startMs, calls[0]?.request.value])).slice(0, 32);
    return {
      resource: { attributes: [attribute('service.name', serverName), attribute('codex_rx.tape', name)] },
      scopeSpans: [{ scope, spans: calls.map((call) => toSpan(call, traceId)) }],
    };
  });
  return `${JSON.stringify({ resourceSpans })}\n`;
};

const spanOf = (number: number): string => (number + 1).toString(16).padStart(16, '0');
const toNano = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
});

const SERVER = 2;
const CLIENT = 3;
const OK = 1;
const ERROR = 2;

const toolOf = ({ message }: IndexedMessage) =>
  message.kind === 'request' && message.method === 'tools/call' && isObject(message.params)
    ? [attribute('gen_ai.tool.name', wordOf(message.params.name))]
    : [];

/** The code of an error, or another reason why the call has no result. */
const errorOf = ({ outcome, response }: TimedCall) => {
  if (outcome === 'answered') return [];
  if (outcome !== 'failed') return [attribute('error.type', outcome === 'open' ? 'no_response' : outcome)];
  const error = response?.message.kind === 'response' ? response.message.body.error : undefined;
  const code = isObject(error) ? error.code : undefined;
  return [attribute('error.type', error === undefined ? 'tool_error' : wordOf(code ?? 'error'))];
};

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
      ...toolOf(request),
      ...errorOf(call),
      attribute('codex_rx.outcome', outcome),
      attribute('codex_rx.line', request.lineNumber),
    ],
    status: outcome === 'answered' ? { code: OK } : { code: ERROR, message: outcome },
  };
};
