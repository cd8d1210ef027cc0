import fc from 'fast-check';
import { TestScheduler } from 'rxjs/testing';
import { drawMarbles, type Marble, withoutTail } from '../../../src/streams/marbles/drawMarbles';

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
