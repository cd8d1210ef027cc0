import { postLines } from '../../../src/io/mcpClient/postLines';
import { marbles } from '../../support/marbles';

const LINES = {
  a: '{"id":1,"method":"a"}',
  b: '{"id":2,"method":"b"}',
  n: '{"method":"n"}',
  m: '[{"method":"n"},{"id":3,"method":"c"}]',
  x: '{"method":"notifications/cancelled","params":{"requestId":2}}',
};
const EVENT = { kind: 'line', line: 'x' } as const;

describe('postLines', () => {
  const run = (lines: string, duration: string, expected: string) =>
    marbles(({ hot, cold, expectObservable }) => {
      const post = () => cold<typeof EVENT>(duration, { x: EVENT });
      expectObservable(hot(lines, LINES).pipe(postLines({ post }))).toBe(expected, { x: EVENT });
    })();

  it('sends requests side by side', () => run('ab---|', '---(x|)', '---xx|'));
  it('takes a batch with a request as one', () => run('mb---|', '---(x|)', '---xx|'));
  it('sends what follows another message once that was accepted', () => run('nb---|', '---(x|)', '---x--(x|)'));
  it('sends what follows a message that the server does not accept 5 s later, and listens to it for a minute', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const silent$ = cold<typeof EVENT>('-');
      const post = (line: string) => (line === LINES.n ? silent$ : cold('-(x|)', { x: EVENT }));
      expectObservable(hot('nb', LINES).pipe(postLines({ post }))).toBe('5001ms x', { x: EVENT });
      expectSubscriptions(silent$.subscriptions).toBe('^ 59999ms !');
    })());
  it('lets nothing wait for a cancellation, to whose response it listens for a minute', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const silent$ = cold<typeof EVENT>('-');
      const post = (line: string) => (line === LINES.x ? silent$ : cold('-(x|)', { x: EVENT }));
      expectObservable(hot('bxa', LINES).pipe(postLines({ post }))).toBe('-x-x', { x: EVENT });
      expectSubscriptions(silent$.subscriptions).toBe('-^ 59999ms !');
    })());
  it('sends a request no more that was cancelled while it waited, nor its cancellation', () =>
    marbles(({ hot, cold, expectObservable, flush }) => {
      const sent: string[] = [];
      const post = (line: string) => {
        sent.push(line);
        return line === LINES.n ? cold<typeof EVENT>('-') : cold('-(x|)', { x: EVENT });
      };
      expectObservable(hot('nbax', LINES).pipe(postLines({ post }))).toBe('5001ms x', { x: EVENT });
      flush();
      expect(sent).toEqual([LINES.n, LINES.a]);
    })());
  it('emits all that is responded to a message', () => run('a|', '-x-x-|', '-x-x-|'));
});
