import { isFine } from '../../../src/io/mcpHttp/isFine';

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
