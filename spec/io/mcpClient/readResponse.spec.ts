import { readResponse } from '../../../src/io/mcpClient/readResponse';
import { marbles } from '../../support/marbles';

describe('readResponse', () => {
  it.each([
    [
      'a message',
      200,
      'application/json',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      [{ kind: 'line', line: '{"jsonrpc":"2.0","id":1,"result":{}}' }],
    ],
    [
      'an error that is a message',
      400,
      'application/json',
      '{"jsonrpc":"2.0","id":null,"error":{}}',
      [{ kind: 'line', line: '{"jsonrpc":"2.0","id":null,"error":{}}', status: 400 }],
    ],
    ['an error that is none', 400, 'application/json', '{"detail":"no"}', [{ kind: 'failed', status: 400 }]],
    ['a redirect', 300, 'application/json', '{}', [{ kind: 'failed', status: 300 }]],
    ['an error in HTML', 404, 'text/html', '<p>', [{ kind: 'failed', status: 404 }]],
    ['an accepted message', 202, 'text/plain', '', []],
    ['an accepted message with a text', 202, 'text/plain', 'Accepted', []],
    ['a web page', 200, 'text/html', '<p>', [{ kind: 'failed', status: 200, type: 'text/html' }]],
    ['no message and no type', 200, '', 'x', [{ kind: 'failed', status: 200, type: 'a body of no type' }]],
  ])('reads %s', (_, status, type, body, parts) => {
    marbles(({ cold, expectObservable }) => {
      const answer = { status, statusText: '', headers: { 'content-type': type }, body$: cold('-a|', { a: body }) };
      const expected = parts.length === 0 ? '--|' : '--(p|)';
      expectObservable(readResponse(answer)).toBe(expected, { p: parts[0] });
    })();
  });

  it.each([
    ['where a redirect leads', 307, { location: '/other' }, { location: '/other' }],
    ['how it wants to be authorized', 401, { 'www-authenticate': 'Bearer a="b"' }, { challenge: 'Bearer a="b"' }],
  ])('names of a failure %s', (_, status, headers, named) => {
    marbles(({ cold, expectObservable }) => {
      const part$ = readResponse({ status, statusText: '', headers, body$: cold('|') });
      expectObservable(part$).toBe('(p|)', { p: { kind: 'failed', status, ...named } });
    })();
  });

  it('names, with an error that is a message, how the server wants to be authorized', () => {
    const line = '{"jsonrpc":"2.0","id":null,"error":{}}';
    const headers = { 'content-type': 'application/json', 'www-authenticate': 'Bearer' };
    marbles(({ cold, expectObservable }) => {
      const part$ = readResponse({ status: 401, statusText: '', headers, body$: cold('(a|)', { a: line }) });
      expectObservable(part$).toBe('(p|)', { p: { kind: 'line', line, status: 401, challenge: 'Bearer' } });
    })();
  });

  it(
    'reads an event stream',
    marbles(({ cold, expectObservable }) => {
      const body$ = cold('-a-b-c-d|', {
        a: 'id: 1\ndata: one\n\n',
        b: 'event: endpoint\ndata: /m\n\n',
        c: 'retry: 9\nid: 2\ndata:\n\n',
        d: 'retry: 7\ndata: two\n\n',
      });
      const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
      expectObservable(readResponse({ status: 200, statusText: '', headers, body$ })).toBe('-A-B-C-D|', {
        A: { kind: 'line', line: 'one', eventId: '1' },
        B: { kind: 'event', event: { event: 'endpoint', data: '/m' } },
        C: { kind: 'event', event: { id: '2', data: '', retryMs: 9 } },
        D: { kind: 'line', line: 'two', retryMs: 7 },
      });
    }),
  );
});
