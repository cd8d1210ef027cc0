import { defer, EMPTY, identity, mergeMap, NEVER, type Observable, takeUntil, timer } from 'rxjs';
import { endCancelled } from '../../../src/io/mcpClient/endCancelled';
import type { McpEvent } from '../../../src/io/mcpClient/mcpEvent';
import { marbles } from '../../support/marbles';

const LINES = {
  c: '{"id":1,"method":"tools/call"}',
  d: '{"id":2,"method":"tools/call"}',
  b: '[{"id":1,"method":"a"},{"id":3,"method":"b"}]',
  x: '{"method":"notifications/cancelled","params":{"requestId":1}}',
  n: '{"method":"notifications/progress","params":{"requestId":1}}',
  y: '{"id":1,"result":{}}',
};
const VALUES = { C: { kind: 'line', line: 'C' }, D: { kind: 'line', line: 'D' } } satisfies Record<string, McpEvent>;

/** How long the response to a cancellation is read, in ms. */
const PATIENCE_MS = 6;

/** When the response to `c` and the one to `d` are read, beside other lines whose responses are `other`. */
const run = (
  lines: string,
  out: string,
  { other = '-|', first = LINES.c, c = '^', d = [] as string[] }: Record<string, string | string[]> = {},
) =>
  marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
    const call$ = cold<McpEvent>('-C----', VALUES);
    const second$ = cold<McpEvent>('----D|', VALUES);
    const post = (line: string): Observable<McpEvent> => {
      if (line === first) return call$;
      return line === LINES.d ? second$ : cold<McpEvent>(other as string);
    };
    const patience = (line: string) => (line === LINES.x ? takeUntil<McpEvent>(timer(PATIENCE_MS)) : identity);
    const client = endCancelled({ post, stream$: NEVER, session: () => 's', end: () => EMPTY });
    const event$ = hot(lines, LINES).pipe(mergeMap((line) => defer(() => client.post(line).pipe(patience(line)))));
    expectObservable(event$).toBe(out, VALUES);
    expectSubscriptions(call$.subscriptions).toBe(c);
    expectSubscriptions(second$.subscriptions).toBe(d);
  })();

describe('endCancelled', () => {
  it('reads a response to its end', () => run('c', '-C'));

  it('reads the response to a request no longer once the server has its cancellation', () =>
    run('c--x', '-C', { other: '--|', c: '^----!' }));

  it('reads it no longer once nobody waits any more for a server that does not accept the cancellation', () =>
    run('c--x', '-C', { other: '-', c: '^--------!' }));

  it('leaves other requests as they are', () => run('cd-x|', '-C---D|', { c: '^---!', d: ['-^----!'] }));

  it('takes another notification and a response for no cancellation', () => run('c--ny', '-C'));

  it('leaves a batch as it is, of which one request may be cancelled', () => run('b--x', '-C', { first: LINES.b }));

  it('is left by a cancellation that fails, which errors', () => run('c--x', '-C--#', { other: '-#', c: '^---!' }));
});
