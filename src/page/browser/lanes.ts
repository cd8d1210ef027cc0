/** Computes the heights of the lanes of the stage. */
import type { Model } from '../model';
import type { State } from '../state';

const LANE = 40;
const TIER = 5;
export const RULER = 30;

/** A lane that is shown: its index, and the height of its wire. */
export type Place = { lane: number; y: number };
export type Places = { places: Place[]; yOf: Map<number, number>; height: number };

/** Lanes that are shown, from top to bottom; those with calls have room for them. */
export const placesOf = ({ lanes, spans, marbles }: Model, { filter }: Pick<State, 'filter'>): Places => {
  const tiers = lanes.map(() => 0);
  for (const [from, , , tier] of spans) {
    const lane = marbles.lane[from] ?? 0;
    tiers[lane] = Math.max(tiers[lane] ?? 0, tier + 1);
  }
  const places: Place[] = [];
  let top = RULER;
  lanes.forEach((_, lane) => {
    if (filter.lanes.has(lane)) return;
    places.push({ lane, y: top + LANE / 2 });
    top += LANE + (tiers[lane] ?? 0) * TIER;
  });
  return { places, yOf: new Map(places.map(({ lane, y }) => [lane, y])), height: top + 10 };
};

/** The height of a call's band. */
export const bandY = (wire: number, tier: number): number => wire + 17 + tier * TIER;
