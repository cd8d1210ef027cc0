import { drawComparison } from '../../src/marbles';

const marksOf = (text: string) => [...text].flatMap((symbol, frame) => (symbol === '-' ? [] : [{ frame, symbol }]));

describe('drawComparison', () => {
  it('aligns the rows and marks a frame', () => {
    const rows = [
      { name: 'one', marbles: marksOf('a-b-d'), end: '|' },
      { name: 'other', marbles: marksOf('a-x-d'), end: '-…' },
    ];
    expect(drawComparison(rows, 2, 'nowhere')).toEqual(['one    a-b-d|', 'other  a-x-d-…', '         ^']);
  });

  it('shows that the rows begin earlier', () => {
    const same = [{ frame: 0, symbol: 'a' }];
    const group = ['b', 'c'].map((symbol) => ({ frame: 2, symbol }));
    const rows = [
      { name: 'one', marbles: [...same, ...group], end: '|' },
      { name: 'other', marbles: same, end: '|' },
    ];
    expect(drawComparison(rows, 2, 'start')).toEqual(['one    …a-(bc)|', 'other  …a-----|', '          ^']);
  });
});

describe('drawComparison, of a long row', () => {
  it('cuts the rows around the difference to the width of a terminal', () => {
    const marbles = Array.from({ length: 100 }, (_, i) => ({ frame: 2 * i, symbol: 'a' }));
    const lines = drawComparison([{ name: 'now', marbles, end: '|' }], 160, 'nowhere');
    expect(lines.map(({ length }) => length <= 80)).toEqual([true, true]);
    const [row, mark] = lines as [string, string];
    expect(row.startsWith('now  …')).toBe(true);
    expect(row[mark.indexOf('^')]).toBe('a');
  });
});
