import type { HttpHeaders } from '../../../src/io/http/httpRequest';
import type { HttpRelayEvent } from '../../../src/io/http/relayHttp';
import { type ExchangeEvent, readExchange } from '../../../src/tapes/http/readExchange';
import { marbles } from '../../support/marbles';

const id = 3;
const request = (method: string, headers: HttpHeaders = {}): HttpRelayEvent => ({
  kind: 'request',
  id,
  method,
  url: '/mcp?a=1',
  headers,
});
const response = (status: number, headers: HttpHeaders): HttpRelayEvent => ({ kind: 'response', id, status, headers });
const chunk = (dir: 'in' | 'out', text: string): HttpRelayEvent => ({
  kind: 'chunk',
  id,
  dir,
  chunk: Buffer.from(text),
});
const EVENTS = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json', 'mcp-session-id': 's' };

const relayed: Record<string, HttpRelayEvent> = {
  r: request('POST', { 'mcp-session-id': 's' }),
  g: request('GET'),
  c: chunk('in', '{"id":\n'),
  d: chunk('in', '1}'),
  i: { kind: 'ended', id, dir: 'in' },
  s: response(200, JSON_TYPE),
  e: response(200, EVENTS),
  h: response(404, { 'content-type': 'text/html' }),
  j: chunk('out', '{"result":1}'),
  k: chunk('out', 'id: 5\ndata: one\n\nevent: endpoint\ndata: http://x/m?sessionId=1\n\nid: 6\nda'),
  l: chunk('out', 'ta: two\n\nevent: other\ndata: 3\n\n'),
  b: chunk('out', 'event: endpoint\ndata: http://[\n\nid: 5\ndata: one\n\n'),
  n: { kind: 'injected', id, message: 0, injected: 'is lost' },
  m: { kind: 'injected', id, message: 1, injected: 'is cut' },
  o: { kind: 'ended', id, dir: 'out' },
  x: { kind: 'closed', id },
  f: { kind: 'closed', id, trouble: 'refused' },
};

const read: Record<string, ExchangeEvent> = {
  R: { kind: 'opened', id, method: 'POST', path: '/mcp?a=1', session: 's' },
  G: { kind: 'opened', id, method: 'GET', path: '/mcp?a=1' },
  I: { kind: 'message', id, dir: 'in', line: '{"id": 1}' },
  S: { kind: 'answered', id, status: 200, session: 's' },
  E: { kind: 'answered', id, status: 200 },
  H: { kind: 'answered', id, status: 404 },
  J: { kind: 'message', id, dir: 'out', line: '{"result":1}' },
  K: { kind: 'message', id, dir: 'out', line: 'one', eventId: '5' },
  P: { kind: 'endpoint', id, path: '/m?sessionId=1' },
  L: { kind: 'message', id, dir: 'out', line: 'two', eventId: '6' },
  T: { kind: 'message', id, dir: 'out', line: '{"result":1}', injected: 'is lost' },
  M: { kind: 'message', id, dir: 'out', line: 'two', eventId: '6', injected: 'is cut' },
  X: { kind: 'closed', id, isWhole: true },
  Y: { kind: 'closed', id, isWhole: false },
  F: { kind: 'closed', id, isWhole: false, trouble: 'refused' },
};

describe('readExchange', () => {
  it.each([
    ['a request and its response', '   rc-d-i-s-j-o-x|', 'R----I-S---J-X|'],
    ['a response that is lost', '      r-i-s-jn-o-x|', '  R---S----T-X|'],
    ['an event that is cut', '         g-e-k---ml-x|', ' G-E-(KP)-M-Y|'],
    ['the events of a stream', '       gi--e---k---l----x|', 'G---E---(KP)L----Y|'],
    ['an endpoint that is not an address', 'g--e---b---x|', '     G--E---K---Y|'],
    ['a response that is not a message', 'rdi-h-j-o-x|', '   R-N-H-----X|'],
    ['a server that is not reached', ' rdi---f|', '       R-N---F|'],
  ])('reads %s', (_, source, expected) => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source.trim(), relayed).pipe(readExchange(id))).toBe(expected.trim(), {
        ...read,
        N: { kind: 'message', id, dir: 'in', line: '1}' },
      });
    })();
  });

  it(
    'is never, empty and an error as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<HttpRelayEvent>('---').pipe(readExchange(id))).toBe('---');
      expectObservable(cold<HttpRelayEvent>('--|').pipe(readExchange(id))).toBe('--|');
      expectObservable(cold<HttpRelayEvent>('--#').pipe(readExchange(id))).toBe('--#');
    }),
  );
});
