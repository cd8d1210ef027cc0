import fc from 'fast-check';
import { TestScheduler } from 'rxjs/testing';
import {
  acrossRows,
  type Column,
  drawColumns,
  drawMarbles,
  type Marble,
  widthOfColumn,
  withoutTail,
} from '../../../src/streams/marbles/drawMarbles';

/** What RxJS reads in a line of marbles. */
const read = (text: string): Marble[] =>
  new TestScheduler(() => {})
    .run(() => TestScheduler.parseMarbles(text, undefined, undefined, false, true))
    .map(({ frame, notification }) => ({ frame, symbol: notification.kind === 'N' ? notification.value : '|' }));

/** Timelines that marbles have words for: what is of one instant takes as many frames as it is long. */
const timelines = fc
  .array(
    fc.record({ gap: fc.nat(120), group: fc.array(fc.constantFrom(...'abcXYZλЖ'), { minLength: 1, maxLength: 4 }) }),
  )
  .map((groups) => {
    let frame = 0;
    return groups.flatMap(({ gap, group }) => {
      const at = frame + gap;
      frame = at + (group.length > 1 ? group.length + 2 : 1);
      return group.map((symbol) => ({ frame: at, symbol }));
    });
  });

describe('drawMarbles', () => {
  it('draws what RxJS reads again', () => {
    fc.assert(fc.property(timelines, (marks) => expect(read(drawMarbles([marks]).tracks[0] ?? '')).toEqual(marks)));
  });

  it('draws rows whose columns fit, each of which RxJS reads again', () => {
    fc.assert(
      fc.property(timelines, fc.array(fc.boolean()), (marks, sides) => {
        const frames = [...new Set(marks.map(({ frame }) => frame))];
        const isLeft = ({ frame }: Marble): boolean => sides[frames.indexOf(frame)] ?? true;
        const rows = [marks.filter(isLeft), marks.filter((mark) => !isLeft(mark))];
        const { tracks } = drawMarbles(rows);
        expect(tracks.map(read)).toEqual(rows);
        expect(new Set(tracks.map(({ length }) => length)).size).toBe(1);
      }),
    );
  });

  it('draws a fractional frame directly after the whole one', () => {
    const [a, b] = drawMarbles([
      [
        { frame: 1, symbol: 'a' },
        { frame: 3, symbol: 'b' },
      ],
      [
        { frame: 1, symbol: 'a' },
        { frame: 1.001, symbol: '?' },
        { frame: 3, symbol: 'b' },
      ],
    ]).tracks;
    expect([a, b]).toEqual(['-a--b', '-a?-b']);
  });

  it('draws rows without marbles as empty', () => {
    expect(drawMarbles([[], []]).tracks).toEqual(['', '']);
  });
});

describe('withoutTail', () => {
  it.each([
    ['-a|--', '-a|'],
    ['-(a#)---', '-(a#)'],
    ['-a---', '-a---'],
    ['', ''],
  ])('makes of %s %s', (track, expected) => {
    expect(withoutTail(track)).toBe(expected);
  });
});

const column = (row: number, text: string): Column => ({ texts: new Map([[row, text]]) });

describe('drawColumns', () => {
  it('draws each text on its row and fills the others', () => {
    expect(drawColumns([column(0, 'a'), column(1, '(bc)'), column(0, '|')], 2)).toEqual(['a----|', '-(bc)-']);
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
