import { postLines, toWaiting, withdrawals } from '../../../src/io/mcpClient/postLines';
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

const A = '{"id":1,"method":"tools/call"}';
const B = '{"id":"1","method":"tools/call"}';
const X = '{"method":"notifications/cancelled","params":{"requestId":1}}';
const N = '{"method":"notifications/initialized"}';
const Y = '{"id":1,"result":{}}';

describe('toWaiting', () => {
  it.each([
    ['a request', A, { isRequest: true, id: 1 }],
    ['a cancellation', X, { isRequest: false, cancels: 1 }],
    ['another notification', N, { isRequest: false }],
    ['a response', Y, { isRequest: false }],
    ['a batch with a request, of which one may be cancelled', `[${A},${X}]`, { isRequest: true }],
    ['a batch without one', `[${X},${N}]`, { isRequest: false }],
    ['what is no message', 'x', { isRequest: false }],
  ])('reads %s', (_, line, expected) => {
    expect(toWaiting(line)).toEqual({ line, ...expected });
  });
});

describe('withdrawals', () => {
  /** The lines that are sent; those of `early` have come before the turn of the first. */
  const sent = (early: readonly string[], late: readonly string[] = []): string[] => {
    const { arrive, isLeftOut } = withdrawals();
    const turn = (lines: readonly string[]) => lines.map(toWaiting).filter((line) => !isLeftOut(line));
    for (const line of early) arrive(toWaiting(line));
    const first = turn(early);
    for (const line of late) arrive(toWaiting(line));
    return [...first, ...turn(late)].map(({ line }) => line);
  };

  it('leaves out a request that is cancelled before its turn, and the cancellation', () => {
    expect(sent([N, A, B, Y, X])).toEqual([N, B, Y]);
  });

  it('sends the cancellation of a request that was sent', () => {
    expect(sent([A], [X, N])).toEqual([A, X, N]);
  });

  it('sends a later request of the same id, whether the first was left out or sent', () => {
    expect(sent([A, X], [A, X])).toEqual([]);
    expect(sent([A, X], [A])).toEqual([A]);
    expect(sent([A], [X, A])).toEqual([A, X, A]);
  });
});
