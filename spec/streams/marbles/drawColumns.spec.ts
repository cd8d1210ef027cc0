import { acrossRows, type Column, drawColumns, widthOfColumn } from '../../../src/streams/marbles/drawMarbles';

const column = (row: number, text: string, fills?: Column['fills']): Column => ({
  texts: new Map([[row, text]]),
  fills,
});

describe('drawColumns', () => {
  it('draws each text on its row and fills the others', () => {
    expect(drawColumns([column(0, 'a'), column(1, '(bc)', new Map([[0, '=']])), column(0, '|')], 2)).toEqual([
      'a====|',
      '-(bc)-',
    ]);
  });

  it('draws a pause on all rows', () => {
    expect(drawColumns([column(1, 'a'), acrossRows(' 5s ', 2), column(0, 'b')], 2)).toEqual(['- 5s b', 'a 5s -']);
  });

  it('counts characters, not halves of them', () => {
    expect(widthOfColumn(column(0, '🚀'))).toBe(1);
    expect(drawColumns([column(0, '🚀')], 2)).toEqual(['🚀', '-']);
  });

  it('draws nothing of nothing', () => {
    expect(drawColumns([], 2)).toEqual(['', '']);
    expect(drawColumns([column(0, 'a')], 0)).toEqual([]);
  });
});
