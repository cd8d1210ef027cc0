/** The reducer of fingers and the mouse on the stage: one finger moves the view, two zoom, a press that barely moves is a click. */
import type { Action } from './state';

/** Pixels from the left and the top of the stage. */
type Point = { x: number; y: number };

/** What a pointer does. */
export type PointerInput = Point & {
  id: number;
} /** `press`: the actions of a click on what is below the pointer. */ & (
    | { kind: 'down'; press: readonly Action[] }
    | { kind: 'move' }
    | { kind: 'up' }
    | { kind: 'cancel' }
  );

type Finger = {
  start: Point;
  /** Where a drag has come to; a press that is no drag yet stays at its `start`. */
  at: Point;
  press: readonly Action[];
  phase: 'pressed' | 'dragged';
};

/** The state of a gesture. */
export type Gesture = {
  fingers: ReadonlyMap<number, Finger>;
  /** Caused by the last input. */
  actions: readonly Action[];
};

/** No finger touches the page. */
export const NO_GESTURE: Gesture = { fingers: new Map(), actions: [] };

/** Moved by more than this, a press is a drag. */
const DRAG_PX = 4;
/** Fingers with a smaller distance zoom as if they had this distance. */
const MIN_DISTANCE_PX = 20;

/** True while a finger moves the page. */
export const isDragging = ({ fingers }: Gesture): boolean =>
  [...fingers.values()].some(({ phase }) => phase === 'dragged');

/** The gesture after one more input. */
export const followGesture = ({ fingers }: Gesture, input: PointerInput): Gesture => {
  const { id, x, y } = input;
  if (input.kind === 'down') {
    const finger: Finger = { start: { x, y }, at: { x, y }, press: input.press, phase: 'pressed' };
    return { fingers: new Map(fingers).set(id, finger), actions: [] };
  }
  const finger = fingers.get(id);
  if (finger === undefined) return { fingers, actions: [] };
  if (input.kind === 'move') return moveFinger(fingers, finger, input);
  const rest = new Map(fingers);
  rest.delete(id);
  const isClick = input.kind === 'up' && finger.phase === 'pressed' && !isFar(finger.start, input);
  return { fingers: rest, actions: isClick ? finger.press : [] };
};

const isFar = (from: Point, to: Point): boolean => Math.hypot(to.x - from.x, to.y - from.y) > DRAG_PX;

const moveFinger = (fingers: Gesture['fingers'], finger: Finger, { id, x, y }: PointerInput): Gesture => {
  const to = { x, y };
  if (finger.phase === 'pressed' && !isFar(finger.start, to)) return { fingers, actions: [] };
  const [other] = [...fingers].flatMap(([otherId, { at }]) => (otherId === id ? [] : [at]));
  const action: Action = other === undefined ? { do: 'pan', px: finger.at.x - x } : zoomBy(other, finger.at, to);
  return { fingers: new Map(fingers).set(id, { ...finger, at: to, phase: 'dragged' }), actions: [action] };
};

/** Zooms by how the distance to the other finger changes, around the middle between both. */
const zoomBy = (other: Point, from: Point, to: Point): Action => {
  const distanceTo = ({ x }: Point): number => Math.max(MIN_DISTANCE_PX, Math.abs(x - other.x));
  return { do: 'zoom', by: distanceTo(to) / distanceTo(from), px: (to.x + other.x) / 2 };
};
