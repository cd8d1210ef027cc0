import { count, type Observable, of } from 'rxjs';
import type { ResponsePart } from '../../../src/io/mcpClient/readResponse';
import { resumed } from '../../../src/io/mcpClient/resumed';
import { marbles } from '../../support/marbles';

const parts: Record<string, ResponsePart> = {
  n: { kind: 'line', line: '{"method":"n"}' },
  a: { kind: 'line', line: '{"method":"n"}', eventId: '1', retryMs: 5 },
  l: { kind: 'line', line: '{"method":"n"}', eventId: '1', retryMs: 3e9 },
  r: { kind: 'line', line: '{"id":1,"result":{}}' },
  e: { kind: 'line', line: '{"id":null,"error":{}}', status: 400 },
  f: { kind: 'failed', status: 500 },
  u: { kind: 'unanswered', requests: [1] },
  b: { kind: 'unanswered', requests: [1], cause: 'closed' },
};
const headers = { 'content-type': 'text/event-stream' };
const REST = { r: 'data: {"id":1,"result":{}}\n\n' };

describe('resumed', () => {
  it.each([
    ['passes a stream with all responses', '       -a-r|', '-a-r|', []],
    ['goes on behind the last event at an early end', '-a-|', '-a- 101ms r|', ['1']],
    ['goes on where the connection breaks', '      -a-#', '-a- 101ms r|', ['1']],
    ['waits a minute at most', '                  -l-|', '-l 60002ms r|', ['1']],
    ['names what it does not answer, where events have no ids', '-n-|', '-n-(u|)', []],
    ['names why it broke', '                       -n-#', '-n-(b|)', []],
    ['completes behind a failure', '               -f|', '-f|', []],
    ['completes behind an error of HTTP', '        -a-e|', '-a-e|', []],
  ])('%s', (_, source, expected, asked) => {
    const seen: (string | undefined)[] = [];
    marbles(({ cold, expectObservable, flush }) => {
      const get = (last?: string) => {
        seen.push(last);
        return cold('(x|)', { x: { status: 200, statusText: '', headers, body$: cold('-r|', REST) } });
      };
      const part$ = cold(source.trim(), parts, new Error('closed')) as Observable<ResponsePart>;
      expectObservable(part$.pipe(resumed({ get, requests: [1] }))).toBe(expected, parts);
      flush();
    })();
    expect(seen).toEqual(asked);
  });

  it(
    'opens the stream of a session again until the server has none',
    marbles(({ cold, expectObservable }) => {
      let gets = 0;
      const get = () =>
        cold('(x|)', { x: { status: gets++ === 0 ? 200 : 405, statusText: '', headers, body$: cold('r|', REST) } });
      expectObservable(cold('n|', parts).pipe(resumed({ get }))).toBe('n 1s r 1s |', parts);
    }),
  );

  it(
    'opens it as often as a server ends it, also where that names no time to wait',
    marbles(({ cold, expectObservable, flush }) => {
      let gets = 0;
      const text = 'id: 1\nretry: 0\ndata: {"method":"n"}\n\n';
      const get = () => {
        gets += 1;
        return cold('(x|)', { x: { status: gets < 3_000 ? 200 : 405, statusText: '', headers, body$: of(text) } });
      };
      const count$ = cold('n|', parts).pipe(resumed({ get }), count());
      expectObservable(count$).toBe('300901ms (c|)', { c: 3_000 });
      flush();
    }),
  );
});
