import { toTexts } from '../../src/tape';

describe('toTexts', () => {
  it('decodes lines that were recorded together', () => {
    const lines = ['ü', '{}', '日本'].map((text) => Buffer.from(text).toString('latin1'));
    const texts = ['ü', '{}', '日本'].map((line) => ({ dir: 'in', line }));
    expect(toTexts({ dir: 'in', lines })).toEqual(texts);
    expect(toTexts({ dir: 'in', lines }, 2)).toEqual(texts.slice(0, 2));
  });

  it('leaves a single line as it is', () => {
    const recorded = { dir: 'out', line: 'x', end: '' };
    expect(toTexts(recorded)).toEqual([recorded]);
  });
});
