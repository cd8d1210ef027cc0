import { isDrawn } from '../../../src/tapes/diagram/isDrawn';

describe('isDrawn', () => {
  it.each([
    [undefined, true],
    ['model', true],
    ['engine', true],
    ['chance', false],
    ['timer 10000', false],
  ])('of the seam %s is %j', (seam, expected) => {
    expect(isDrawn({ seam })).toBe(expected);
  });
});
