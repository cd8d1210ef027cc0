import { concatMap, delay, from, type Observable, of } from 'rxjs';
import type { HttpInput, HttpOutput } from '../../../src/io/http/listenHttp';
import { serveSessions } from '../../../src/io/mcpServer/serveSessions';
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
