import { textsOf } from '../../../src/threads/lines/textsOf';

describe('textsOf', () => {
  it.each([
    [
      [{ type: 'input_text', text: 'a' }, { type: 'input_image' }, { text: 'b' }],
      ['a', 'b'],
    ],
    [[{ text: 1 }, null, 'c'], []],
    ['a', []],
    [undefined, []],
  ])('reads %j', (parts, texts) => {
    expect(textsOf(parts)).toEqual(texts);
  });
});
