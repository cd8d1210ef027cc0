import {
  type ComparedMarble,
  drawComparison,
  drawMismatch,
  END_LABEL,
} from '../../../src/streams/marbles/drawMismatch';

const marble = (frame: number, symbol: string, value: unknown, phase?: string): ComparedMarble => ({
  frame,
  symbol,
  value,
  label: 'a value',
  phase,
});

const end = (frame: number): ComparedMarble => ({ frame, symbol: '|', value: '|', label: END_LABEL });

describe('drawMismatch', () => {
  it('draws the client above both rows, names the phase, and shows the differing members', () => {
    const mismatch = {
      client: [marble(0, 'i', 1)],
      expected: [marble(1, 'I', { n: 1, same: 0 }, 'greeting'), end(3)],
      actual: [marble(1, '?', { n: 2, same: 0 }, 'greeting'), end(3)],
      at: 0,
      cut: 'nowhere' as const,
    };
    expect(drawMismatch(mismatch).split('\n')).toEqual([
      'in greeting:',
      '  client    i---',
      '  expected  -I-|',
      '  actual    -?-|',
      '             ^',
      '  expected I (a value); actual ? (a value)',
      '  message.n: expected 1, actual 2',
    ]);
  });

  it('shows what is missing, shortened', () => {
    const text = 'x'.repeat(500);
    const mismatch = { expected: [marble(1, 'a', text)], actual: [end(1)], at: 0, cut: 'nowhere' as const };
    expect(drawMismatch(mismatch).split('\n').slice(-2)).toEqual([
      '  expected a (a value); actual | (the end)',
      `  ${'x'.repeat(400)}…`,
    ]);
  });

  it('shows both times where only they differ', () => {
    const mismatch = { expected: [marble(1, 'a', 1)], actual: [marble(2, 'a', 1)], at: 0, cut: 'nowhere' as const };
    expect(drawMismatch(mismatch)).toContain('expected a (a value); actual a (a value), at 1 ms and at 2 ms');
  });

  it('begins at the first marble where earlier ones are left out, and counts the differences it does not show', () => {
    const members = (by: number) => Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`m${i}`, i + by]));
    const mismatch = {
      expected: [marble(100, 'a', members(0))],
      actual: [marble(100, 'b', members(1))],
      at: 0,
      cut: 'start' as const,
    };
    const lines = drawMismatch(mismatch).split('\n');
    expect(lines.slice(0, 3)).toEqual(['  expected  …a', '  actual    …b', '             ^']);
    expect(lines.slice(-2)).toEqual(['  message.m9: expected 9, actual 10', '  … and 2 more']);
  });
});

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
