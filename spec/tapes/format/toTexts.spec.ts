import { toTexts } from '../../../src/tapes/format/toTexts';

describe('toTexts', () => {
  it('decodes lines that were recorded together', () => {
    const texts = ['ü', '', '日本'].map((line) => ({ dir: 'in', line }));
    const recorded = { dir: 'in', lines: Buffer.from('ü\n\n日本\n'), count: 3 } as const;
    expect(toTexts(recorded)).toEqual(texts);
    expect(toTexts(recorded, 2)).toEqual(texts.slice(0, 2));
  });

  it('leaves a single line as it is', () => {
    const recorded = { dir: 'out', line: 'x', end: '' };
    expect(toTexts(recorded)).toEqual([recorded]);
  });
});
