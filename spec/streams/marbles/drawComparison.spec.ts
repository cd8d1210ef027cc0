import { drawComparison } from '../../../src/streams/marbles/drawComparison';

const marksOf = (text: string) => [...text].flatMap((symbol, frame) => (symbol === '-' ? [] : [{ frame, symbol }]));

describe('drawComparison', () => {
  it('aligns the rows and marks a frame', () => {
    const rows = [
      { name: 'one', marbles: marksOf('a-b-d'), end: '|' },
      { name: 'other', marbles: marksOf('a-x-d'), end: '-…' },
    ];
    expect(drawComparison(rows, { frame: 2, cut: 'nowhere', columns: 80 })).toEqual([
      'one    a-b-d|',
      'other  a-x-d-…',
      '         ^',
    ]);
  });

  it('shows that the rows begin earlier', () => {
    const same = [{ frame: 0, symbol: 'a' }];
    const group = ['b', 'c'].map((symbol) => ({ frame: 2, symbol }));
    const rows = [
      { name: 'one', marbles: [...same, ...group], end: '|' },
      { name: 'other', marbles: same, end: '|' },
    ];
    expect(drawComparison(rows, { frame: 2, cut: 'start', columns: 80 })).toEqual([
      'one    …a-(bc)|',
      'other  …a-----|',
      '          ^',
    ]);
  });
});

describe('drawComparison, of a long row', () => {
  const marbles = Array.from({ length: 100 }, (_, i) => ({ frame: 2 * i, symbol: 'a' }));

  it.each([40, 80, 200])('cuts the rows around the difference, in a terminal of %i columns', (columns) => {
    const place = { frame: 160, cut: 'nowhere', columns } as const;
    const [row, mark] = drawComparison([{ name: 'now', marbles, end: '|' }], place) as [string, string];
    expect([row.length <= columns - 2, row.length >= Math.min(columns - 4, 140)]).toEqual([true, true]);
    expect(row.startsWith('now  …')).toBe(true);
    expect(row[mark.indexOf('^')]).toBe('a');
  });

  it('shows a few marbles also where there is no room at all', () => {
    const lines = drawComparison([{ name: 'now', marbles, end: '|' }], { frame: 4, cut: 'nowhere', columns: 1 });
    expect(lines).toEqual(['now  a-a-a-a-…', '         ^']);
  });
});
