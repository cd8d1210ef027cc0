import { concatMap, delay, from, type Observable, of } from 'rxjs';
import type { HttpInput, HttpOutput } from '../../../src/io/http/listenHttp';
import { NO_STREAMS } from '../../../src/io/mcpServer/responseStreams';
import type { Transport } from '../../../src/io/mcpServer/routeRequests';
import { reduceStreams, type StreamInput, serveSessions } from '../../../src/io/mcpServer/serveSessions';
import { marbles } from '../../support/marbles';

type Remark = { kind: 'unrecorded'; text: string };

const request = (id: number, body: string, session?: string): HttpInput => ({
  kind: 'request',
  id,
  method: 'POST',
  url: '/mcp',
  body,
  headers: { accept: 'text/event-stream', ...(session !== undefined && { 'mcp-session-id': session }) },
});

const INIT = '{"id":0,"method":"initialize"}';

const CALL = '{"id":1,"method":"tools/call"}';

const inputs: Record<string, HttpInput> = {
  i: request(0, INIT),
  j: request(1, INIT),
  c: request(2, CALL, 's1'),
  u: request(3, CALL, 'none'),
};

/** A playback that answers each request after a while, and remarks on calls. */
const play = () => (line$: Observable<string>) =>
  line$.pipe(
    concatMap((line) => {
      const { id, method } = JSON.parse(line);
      const answer = { kind: 'line' as const, line: `{"id":${id},"result":{}}` };
      const remark: Remark = { kind: 'unrecorded', text: method };
      return method === 'initialize' ? of(answer).pipe(delay(2)) : from<(typeof answer | Remark)[]>([remark, answer]);
    }),
  );

const head = (id: number, own: Record<string, string> = {}): HttpOutput => ({
  kind: 'head',
  id,
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...own },
});

const text = (id: number, event: string, line: string): HttpOutput => ({
  kind: 'text',
  id,
  text: `id: ${event}\nevent: message\ndata: ${line}\n\n`,
});

describe('serveSessions', () => {
  it(
    'has a playback for each session, and passes remarks',
    marbles(({ hot, expectObservable }) => {
      let keys = 0;
      const deps = { newKey: () => `s${++keys}`, opens: () => false, play };
      const input$ = hot('  i---------j---------c---------u---------|', inputs);
      const expected = '    --(IAE)-----(JBF)---(RHCG)----(KL)------|';
      expectObservable(input$.pipe(serveSessions<Remark>(deps))).toBe(expected, {
        I: head(0, { 'mcp-session-id': 's1' }),
        A: text(0, '1-1', '{"id":0,"result":{}}'),
        E: { kind: 'end', id: 0 },
        J: head(1, { 'mcp-session-id': 's2' }),
        B: text(1, '1-1', '{"id":0,"result":{}}'),
        F: { kind: 'end', id: 1 },
        R: { kind: 'unrecorded', text: 'tools/call' },
        H: head(2),
        C: text(2, '2-1', '{"id":1,"result":{}}'),
        G: { kind: 'end', id: 2 },
        K: { kind: 'head', id: 3, status: 404, headers: {} },
        L: { kind: 'end', id: 3 },
      });
    }),
  );
});

describe('reduceStreams', () => {
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
  const RESULT = '{"id":1,"result":{}}';
  const NOTE = '{"method":"n"}';

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
