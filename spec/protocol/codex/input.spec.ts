import { textOf, toInput } from '../../../src/protocol/codex/operations';

describe('textOf', () => {
  it('is the texts of an input, one per line', () => {
    expect(textOf([...toInput('a'), { type: 'image', url: 'u' }, ...toInput('b')])).toBe('a\nb');
  });

  it('is empty without a text', () => {
    expect(textOf([{ type: 'localImage', path: 'p' }])).toBe('');
  });
});
