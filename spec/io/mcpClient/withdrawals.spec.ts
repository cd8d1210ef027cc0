import { toWaiting, withdrawals } from '../../../src/io/mcpClient/postLines';

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
