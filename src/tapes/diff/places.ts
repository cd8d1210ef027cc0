/** Names the places at which results differ, and finds places that differ in another way in each of several runs. */
import { type Difference, diffJson } from '../../streams/marbles/diffJson';
import { toCanonical } from '../matching/matchKey';
import type { LaneResult } from './compare';
import { titleOf } from './describeLane';

/** A place at which a result differs. */
export type Place = {
  /** Its name in the session. */
  id: string;
  /** Its name also in a shortened session. */
  name: string;
  /** The index of the line in its lane. */
  at: number;
  /** What differs there. */
  value?: Difference;
};

/** All places at which a result differs, in order. */
export const placesOf = (result: LaneResult): Place[] => {
  const { label, difference, recorded, now } = result;
  if (difference === undefined) return [];
  const place = (at: number, text: string, value?: Difference): Place => {
    return { id: `${titleOf(result)}: ${text}`, name: `${label}: ${text}`, at, ...(value && { value }) };
  };
  if (difference.reason !== undefined) return [place(0, difference.reason)];
  return Array.from({ length: Math.max(recorded.length, now.length) }, (_, at) => at).flatMap((at) => {
    const [before, after] = [recorded[at], now[at]];
    if (before === undefined || after === undefined) return [place(at, `a message ${before ? 'less' : 'more'}`)];
    if (before.text === after.text) return [];
    return diffJson(before.value, after.value, 'message').map((value) => place(at, value.path, value));
  });
};

/** The ids of places that differ in another way, or not at all, in some run of a session. */
export const unstablePlaces = (runs: readonly (readonly LaneResult[])[]): ReadonlySet<string> => {
  const found = runs.map((results) => new Map(results.flatMap(placesOf).map(({ id, value }) => [id, toWay(value)])));
  const ids = new Set(found.flatMap((places) => [...places.keys()]));
  return new Set([...ids].filter((id) => found.some((places) => places.get(id) !== found[0]?.get(id))));
};

const toWay = (value: Difference | undefined): string => toCanonical(value?.now ?? null);

/** The results without the differences at these places. */
export const withoutPlaces = (results: readonly LaneResult[], ids: ReadonlySet<string>): LaneResult[] =>
  results.map((result) => {
    const { difference, ...same } = result;
    if (difference === undefined) return same;
    const rest = placesOf(result).filter(({ id }) => !ids.has(id));
    const [first] = rest;
    if (first === undefined) return same;
    if (difference.reason !== undefined) return result;
    const values = rest.filter(({ at }) => at === first.at).flatMap(({ value }) => value ?? []);
    return { ...same, difference: { at: first.at, values: first.value ? values : difference.values } };
  });
