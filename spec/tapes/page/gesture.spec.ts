import {
  followGesture,
  type Gesture,
  isDragging,
  NO_GESTURE,
  type PointerInput,
} from '../../../src/tapes/page/gesture';
import type { Action } from '../../../src/tapes/page/state';

const press: Action[] = [{ do: 'select', marble: 3 }, { do: 'open' }];
const down = (id: number, x: number): PointerInput => ({ kind: 'down', id, x, y: 0, press });
const move = (id: number, x: number): PointerInput => ({ kind: 'move', id, x, y: 0 });
const up = (id: number, x: number): PointerInput => ({ kind: 'up', id, x, y: 0 });

const follow = (...inputs: PointerInput[]): { actions: Action[]; last: Gesture } => {
  const steps = inputs.map((_, i) => inputs.slice(0, i + 1).reduce(followGesture, NO_GESTURE));
  return { actions: steps.flatMap(({ actions }) => actions), last: steps.at(-1) ?? NO_GESTURE };
};

describe('followGesture', () => {
  it('takes a press that moves little for a click, on what was below it', () => {
    expect(follow(down(1, 10), move(1, 14), up(1, 13)).actions).toEqual(press);
    expect(follow(down(1, 10), up(1, 20)).actions).toEqual([]);
  });

  it('pans with one finger, from where it was pressed, and is no click then', () => {
    const { actions, last } = follow(down(1, 10), move(1, 12), move(1, 20), move(1, 17), up(1, 10));
    expect(actions).toEqual([
      { do: 'pan', px: -10 },
      { do: 'pan', px: 3 },
    ]);
    expect(last).toEqual(NO_GESTURE);
  });

  it('zooms with two fingers around the middle between them', () => {
    expect(follow(down(1, 100), down(2, 200), move(2, 300)).actions).toEqual([{ do: 'zoom', by: 2, px: 200 }]);
    expect(follow(down(1, 100), down(2, 101), move(2, 120)).actions).toEqual([{ do: 'zoom', by: 1, px: 110 }]);
  });

  it('pans on when one of two fingers is lifted', () => {
    expect(follow(down(1, 100), down(2, 200), up(1, 120), move(2, 210)).actions).toEqual([{ do: 'pan', px: -10 }]);
  });

  it('does nothing for a pointer that was not pressed, or is cancelled', () => {
    expect(follow(move(1, 10), up(1, 10)).actions).toEqual([]);
    expect(follow(down(1, 10), { kind: 'cancel', id: 1, x: 10, y: 0 }).actions).toEqual([]);
  });

  it('is a drag from its first move to its end', () => {
    expect(isDragging(follow(down(1, 10), move(1, 13)).last)).toBe(false);
    expect(isDragging(follow(down(1, 10), move(1, 15), move(1, 10)).last)).toBe(true);
    expect(isDragging(follow(down(1, 10), move(1, 15), up(1, 15)).last)).toBe(false);
  });
});
