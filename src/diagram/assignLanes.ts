/** Owns the lanes of a picture: which there are, in which order, what they are called. */
import { GROUPS, type LaneData } from '../page';
import type { ChartMarble, Look } from './chart';
import { OTHER_KIND, ownLanes } from './eventKinds';

const TITLES: Record<string, string> = {
  request: 'client says',
  answer: 'server answers',
  question: 'server asks',
  model: 'model',
  executor: 'executor',
  log: 'stderr, notes, end',
};

const titleOf = ({ group, key }: Pick<LaneData, 'group' | 'key'>): string =>
  group === 'event' && key === OTHER_KIND ? 'other events' : (TITLES[group] ?? key);

/** Puts marbles on lanes, which come by group, and within one in the order they were first used. */
export const toLanes = (drawn: readonly { marble: ChartMarble; look: Look }[]): LaneData[] => {
  const counts = new Map<string, number>();
  for (const { look, marble } of drawn) {
    if (look.group === 'event') counts.set(look.key, (counts.get(look.key) ?? 0) + marble.count);
  }
  const own = ownLanes(counts);
  const keyOf = ({ group, key }: Look): string => (group !== 'event' || own.has(key) ? key : OTHER_KIND);
  const found = new Map<string, { group: Look['group']; key: string }>();
  for (const { look } of drawn) found.set(`${look.group} ${keyOf(look)}`, { group: look.group, key: keyOf(look) });
  const lanes = [...found].sort(([, a], [, b]) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
  const indexes = new Map(lanes.map(([id], i) => [id, i]));
  for (const { look, marble } of drawn) marble.lane = indexes.get(`${look.group} ${keyOf(look)}`) ?? 0;
  return lanes.map(([, lane]) => ({ ...lane, title: titleOf(lane) }));
};
