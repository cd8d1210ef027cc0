import { toShownLine } from '../../../src/cli/client/logLine';

const warned = (reason: string): string =>
  `2026-11-29T17:08:34.965Z warning a turn goes on with a warning callId=1 threadId=T reason=${reason}`;

describe('toShownLine', () => {
  it.each([
    [
      '"MCP client for `a` failed to start: \\"a\\" is not there."',
      'MCP client for `a` failed to start: "a" is not there.',
    ],
    ['"reason=\\"b\\" \\u001b[31mred"', 'reason="b" \\x1b[31mred'],
  ])('shows of a warning its reason: %s', (reason, expected) =>
    expect(toShownLine(warned(reason))).toBe(`warning: ${expected}`),
  );

  it.each([warned('"cut'), warned('short'), '2026-11-29T17:08:34.965Z error it broke reason="a b"', 'a warning', ''])(
    'shows other lines as they are: %s',
    (line) => expect(toShownLine(line)).toBe(line),
  );

  it('shows nothing of a line whose reason is in the result', () => {
    expect(toShownLine('2026-11-29T17:08:34.965Z error a turn failed callId=1 reason="no model"')).toBeUndefined();
  });
});
