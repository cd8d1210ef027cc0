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
