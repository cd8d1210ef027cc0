import type { HttpOutput } from '../../../src/io/http/listenHttp';
import { reduceStreams, type StreamInput } from '../../../src/io/mcpServer/reduceStreams';
import { NO_STREAMS } from '../../../src/io/mcpServer/responseStreams';
import type { Transport } from '../../../src/io/mcpServer/routeRequests';

type Given = {
  method?: string;
  line?: string;
  headers?: Record<string, string>;
  opens?: string;
  transport?: Transport;
};

const request = (
  id: number,
  { method = 'POST', line, headers = {}, opens, transport = 'streamable' }: Given,
): StreamInput => ({
  kind: 'request',
  id,
  method,
  url: '/sse',
  body: '',
  headers: { accept: 'text/event-stream', ...headers },
  transport,
  ...(line !== undefined && { line }),
  ...(opens !== undefined && { opens }),
});
const line = (text: string): StreamInput => ({ kind: 'line', line: text });

const toText = (output: HttpOutput): string => {
  if (output.kind === 'head') return `${output.id} ${output.status}${output.headers['mcp-session-id'] ?? ''}`;
  return output.kind === 'end' ? `${output.id} end` : `${output.id} ${output.text.trim().replaceAll('\n', ' ')}`;
};

const outputsOf = (...inputs: StreamInput[]): string[] => {
  let state = NO_STREAMS;
  return inputs.flatMap((input) => {
    const step = reduceStreams(state, input);
    state = step.state;
    return step.output.map(toText);
  });
};

const CALL = '{"id":1,"method":"tools/call"}';
const RESULT = '{"id":1,"result":{}}';
const NOTE = '{"method":"n"}';

describe('reduceStreams', () => {
  it('answers a request on a stream of its own, and accepts anything else', () => {
    expect(outputsOf(request(0, { line: CALL, opens: ' s1' }), request(1, { line: NOTE }), line(RESULT))).toEqual([
      '1 202',
      '1 end',
      '0 200 s1',
      `0 id: 1-1 event: message data: ${RESULT}`,
      '0 end',
    ]);
  });

  it('sends what waited when the stream of the session opens, and refuses a second one', () => {
    expect(outputsOf(line(NOTE), request(0, { method: 'GET' }), request(1, { method: 'GET' }), line(NOTE))).toEqual([
      '0 200',
      `0 id: 0-1 event: message data: ${NOTE}`,
      '1 409',
      '1 end',
      `0 id: 0-2 event: message data: ${NOTE}`,
    ]);
  });

  it('resumes a stream after an event', () => {
    const resume = request(1, { method: 'GET', headers: { 'last-event-id': '1-1' } });
    expect(
      outputsOf(
        request(0, { line: CALL }),
        line('{"method":"n","params":{"requestId":1}}'),
        { kind: 'closed', id: 0 },
        line(RESULT),
        resume,
      ).slice(2),
    ).toEqual(['1 200', `1 id: 1-2 event: message data: ${RESULT}`, '1 end']);
    expect(outputsOf(request(0, { method: 'GET', headers: { 'last-event-id': 'x' } }))).toEqual(['0 404', '0 end']);
  });

  it('sends all on the one stream of the older transport, which names the endpoint', () => {
    const stream = request(0, { method: 'GET', transport: 'sse', opens: 's1' });
    expect(outputsOf(stream, request(1, { line: CALL, transport: 'sse' }), line(RESULT))).toEqual([
      '0 200',
      '0 event: endpoint data: /sse?sessionId=s1',
      '1 202',
      '1 end',
      `0 id: 0-1 event: message data: ${RESULT}`,
    ]);
  });

  it('ends its streams with the session, and refuses other methods', () => {
    expect(
      outputsOf(
        request(0, { method: 'GET' }),
        request(1, { method: 'DELETE' }),
        { kind: 'over' },
        request(2, { method: 'PUT' }),
      ),
    ).toEqual(['0 200', '1 200', '1 end', '0 end', '2 405', '2 end']);
  });
});
