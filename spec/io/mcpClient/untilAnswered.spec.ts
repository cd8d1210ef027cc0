import { untilAnswered } from '../../../src/io/mcpClient/httpClient';
import type { ResponsePart } from '../../../src/io/mcpClient/readResponse';
import { marbles } from '../../support/marbles';

const line = (text: string): ResponsePart => ({ kind: 'line', line: text });
const PARTS: Record<string, ResponsePart> = {
  a: line('{"id":1,"result":{}}'),
  b: line('{"id":2,"error":{}}'),
  n: line('{"method":"notifications/progress"}'),
  q: line('{"id":1,"method":"ping"}'),
  e: { kind: 'event', event: { data: '' } },
  f: { kind: 'failed', status: 500 },
};

describe('untilAnswered', () => {
  const run = (requests: number[], part: string, out: string, sub: string) =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const part$ = cold(part, PARTS);
      expectObservable(part$.pipe(untilAnswered(requests)), '3s !').toBe(out, PARTS);
      expectSubscriptions(part$.subscriptions).toBe(sub);
    })();

  it('ends a response that the server keeps open a second behind its answer', () =>
    run([1], '-na---', '-na 999ms |', '^- 1s !'));
  it('passes what comes in that second', () => run([1], '-a-ne-', '-a-ne 996ms |', '^ 1000ms !'));
  it('waits for the last answer', () => run([1, 2], '-a--b-', '-a--b 999ms |', '^--- 1s !'));
  it('takes a failure for an answer to all', () => run([1, 2], '-f-', '-f 999ms |', '^ 1s !'));
  it('takes nothing else for an answer', () => run([1], '-nqeb-', '-nqeb-', '^ 2999ms !'));
  it('passes all where no request is answered here', () => run([], '-na---', '-na---', '^ 2999ms !'));
  it('ends and fails with the response', () => {
    run([1], '-na-|', '-na-|', '^---!');
    run([1], '-na-#', '-na-#', '^---!');
    run([1], '|', '|', '(^!)');
    run([1], '-', '-', '^ 2999ms !');
  });
});
