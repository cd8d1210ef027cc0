/** Decides the lanes of a picture: which there are, in which order, and their titles. */
import { toVisible } from '../../io/log/toVisible';
import type { LaneData } from '../page/data';
import { GROUPS } from '../page/palette';
import type { Look } from './chart';
import { kindsWithLane, OTHER_KIND } from './notificationKinds';

const TITLES: Partial<Record<LaneData['group'], string>> = {
  request: 'client sends',
  answer: 'server responds',
  question: 'server requests',
  model: 'model',
  executor: 'executor',
  log: 'stderr, notes, end',
};

type Lane = Pick<LaneData, 'group' | 'key'>;

const titleOf = ({ group, key }: Lane): string =>
  group === 'event' && key === OTHER_KIND ? 'other events' : (TITLES[group] ?? toVisible(key));

const idOf = ({ group, key }: Lane): string => `${group} ${key}`;

/** The lanes by group, within a group in the order in which they are first used; `laneOf` is the lane of each look. */
export const toLanes = (looks: readonly Look[]): { lanes: LaneData[]; laneOf: number[] } => {
  const laneOfLook = toLaneOf(looks);
  const lanesOfLooks = looks.map(laneOfLook);
  const lanes = [...new Map(lanesOfLooks.map((lane) => [idOf(lane), lane])).values()].sort(
    (a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group),
  );
  const indices = new Map(lanes.map((lane, i) => [idOf(lane), i]));
  return {
    lanes: lanes.map((lane) => ({ ...lane, title: titleOf(lane) })),
    laneOf: lanesOfLooks.map((lane) => indices.get(idOf(lane)) ?? 0),
  };
};

/** The lane of a look: that of its kind, or the one that rare kinds share. */
const toLaneOf = (looks: readonly Look[]) => {
  const counts = new Map<string, number>();
  for (const { group, key } of looks) if (group === 'event') counts.set(key, (counts.get(key) ?? 0) + 1);
  const own = kindsWithLane(counts);
  return ({ group, key }: Look): Lane => ({ group, key: group !== 'event' || own.has(key) ? key : OTHER_KIND });
};
