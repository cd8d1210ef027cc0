import { counted } from '../../../src/streams/text/counted';

describe('counted', () => {
  it.each([
    [0, '0 calls'],
    [1, '1 call'],
    [2, '2 calls'],
  ])('writes %d with its noun', (count, text) => {
    expect(counted(count, 'call')).toBe(text);
  });
});
