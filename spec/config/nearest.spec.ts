import { nearest } from '../../src/config/nearest';

describe('nearest', () => {
  it.each<[string, string[], string | undefined]>([
    ['opnai', ['oss', 'openai', 'open'], 'openai'],
    ['openaj', ['openais', 'openai'], 'openai'],
    ['OPENAI', ['openai'], 'openai'],
    ['a', ['b', 'cd'], 'b'],
    ['zz', ['openai', 'oss'], undefined],
    ['', [], undefined],
    ['x'.repeat(65), ['x'.repeat(64)], undefined],
    ['x'.repeat(64), ['x'.repeat(65), 'x'.repeat(63)], 'x'.repeat(63)],
  ])('takes %j among %j for %j', (name, known, found) => expect(nearest(name, known)).toBe(found));
});
