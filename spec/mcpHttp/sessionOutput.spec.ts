import { isFine, lineOf } from '../../src/mcpHttp/sessionOutput';

describe('lineOf', () => {
  it('is a line of its session', () => {
    const recorded = { dir: 'in', line: 'x' } as const;
    expect(lineOf(3, recorded)).toEqual({ kind: 'line', session: 3, recorded });
  });
});

describe('isFine', () => {
  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [0, false],
  ])('of %d is %j', (status, expected) => {
    expect(isFine(status)).toBe(expected);
  });
});
