import { Subject } from 'rxjs';
import type { HttpPost } from '../../../src/io/http/httpRequest';
import { clientMemory } from '../../../src/io/mcpClient/clientMemory';
import { get, olderStream, sessionStream, toEvent, type Wires } from '../../../src/io/mcpClient/clientStreams';
import type { McpEvent } from '../../../src/io/mcpClient/failures';
import type { ResponsePart } from '../../../src/io/mcpClient/readResponse';
import { marbles } from '../../support/marbles';
import { EVENTS, httpServer, type Response } from '../mcpHttp/httpServer';

const URL_ = 'http://x/mcp';
const NOTE = '{"jsonrpc":"2.0","method":"n"}';
const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}';

const events: Record<string, McpEvent> = { N: { kind: 'line', line: NOTE }, H: { kind: 'line', line: HELLO } };

const wiresOf = (send: HttpPost): Wires => ({
  send,
  url: URL_,
  name: URL_,
  memory: clientMemory(URL_),
  open$: new Subject(),
  endpoint$: new Subject(),
});

const silent: HttpPost = () => {
  throw new Error('nothing is sent here');
};

const stream = (body: string, text = ''): Response => ({ status: 200, type: EVENTS, body, text });
const none: Response = { status: 405, type: 'text/plain', body: '|' };

describe('toEvent', () => {
  const cases: [string, ResponsePart, McpEvent | undefined][] = [
    ['a message', { kind: 'line', line: NOTE }, { kind: 'line', line: NOTE }],
    ['one with a status', { kind: 'line', line: NOTE, status: 400 }, { kind: 'line', line: NOTE, status: 400 }],
    ['a failure', { kind: 'failed', status: 500 }, { kind: 'log', line: 'HTTP 500 of http://x/mcp', status: 500 }],
    [
      'one that wants a login',
      { kind: 'line', line: NOTE, status: 401, challenge: 'Bearer' },
      { kind: 'line', line: NOTE, status: 401, challenge: 'Bearer' },
    ],
    ['another event', { kind: 'event', event: { event: 'ping', data: '' } }, undefined],
  ];
  it.each(cases)('emits what a client sees of %s', (_, part, event) => {
    marbles(({ expectObservable }) => {
      expectObservable(toEvent(wiresOf(silent), part)).toBe(event ? '(e|)' : '|', { e: event });
    })();
  });

  it('learns the revision, which later requests name', () => {
    const wires = wiresOf(silent);
    toEvent(wires, { kind: 'line', line: HELLO });
    expect(wires.memory.headers()).toEqual({ 'mcp-protocol-version': '2025-11-25' });
  });
});

describe('get', () => {
  it('asks for events, after the last one', () => {
    const asked: string[] = [];
    marbles(({ cold, flush }) => {
      const wires = wiresOf(httpServer(cold, { GET: none }, asked));
      get(wires).subscribe();
      get(wires, { lastEventId: 'e7' }).subscribe();
      get(wires, { lastEventId: 'e8', headers: { 'mcp-session-id': 'before' } }).subscribe();
      flush();
    })();
    expect(asked).toEqual(['GET http://x/mcp -', 'GET http://x/mcp - e7', 'GET http://x/mcp before e8']);
  });
});

describe('sessionStream', () => {
  it.each([
    ['emits the messages of the stream', [stream('-t---', `data: ${NOTE}\n\n`)], '--N---'],
    ['opens it again when it ends', [stream('t|', `data: ${NOTE}\n\n`), none], '-N 1001ms |'],
    ['completes where the server has none', [none], '-|'],
    [
      'completes where a page for people is in its place',
      [{ status: 200, type: 'text/html', body: '-t|', text: '<html>' }],
      '-|',
    ],
    ['errors with a body that breaks before any event', [stream('#'), none], '- 1001ms |'],
  ])('%s', (_, responses, expected) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(sessionStream(wiresOf(httpServer(cold, { GET: responses })))).toBe(expected, events);
    })();
  });
});

describe('olderStream', () => {
  const endpoint = (path: string): string => `event: endpoint\ndata: ${path}\n\n`;
  const ended = (trouble: string): McpEvent => ({ kind: 'ended', trouble });

  it(
    'learns where messages go, lets the waiting one go there, and emits the messages after',
    marbles(({ cold, expectObservable }) => {
      const wires = wiresOf(
        httpServer(cold, { GET: stream('-t---', `${endpoint('/m?sessionId=1')}data: ${HELLO}\n\n`) }),
      );
      expectObservable(wires.endpoint$).toBe('--e', { e: undefined });
      expectObservable(olderStream(wires)).toBe('--H---', events);
    }),
  );

  it.each([
    ['a stream that ends', stream('-|'), '--(e|)', 'has closed its stream, which ends the session'],
    [
      'an endpoint of another server',
      stream('(t|)', endpoint('//y/m')),
      '-(e|)',
      'names an endpoint that is not its own, so no message is sent there',
    ],
    ['a server without the stream', none, '-(e|)', 'is not an MCP server: it answers HTTP 405'],
    [
      'a web page',
      { status: 200, type: 'text/html', body: '--(t|)', text: '<html>' },
      '-(e|)',
      'is not an MCP server: it answers with text/html, not with text/event-stream; see its path',
    ],
  ])('ends at %s', (_, response, expected, trouble) => {
    marbles(({ cold, expectObservable }) => {
      const wires = wiresOf(httpServer(cold, { GET: response }));
      expectObservable(olderStream(wires)).toBe(expected, { e: ended(`${URL_} ${trouble}`) });
      expectObservable(wires.endpoint$).toBe('');
    })();
  });
});
