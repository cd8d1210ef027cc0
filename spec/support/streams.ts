/** Doubles for what lies at the ends of streams: readers that are slow, texts and bytes cut anywhere. */
import fc from 'fast-check';
import { from, type Observable, type OperatorFunction, Subject, toArray } from 'rxjs';
import type { Backpressure } from '../../src/streams/backpressure';

/** A value cut at the given places into pieces; `slice` of a text or of bytes. */
export const tokenize = <T extends { length: number; slice(from?: number, to?: number): T }>(
  whole: T,
  cuts: readonly number[],
): T[] => {
  const places = [0, ...cuts.map((at) => at % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  return places.slice(1).map((at, i) => whole.slice(places[i], at));
};

/** Places to cut at, for tokenize. */
export const cuts = fc.array(fc.nat(), { maxLength: 12 });

/** What an operator makes of values that come at once; it must end at once too. */
export const through = <A, B>(operator: OperatorFunction<A, B>, values: readonly A[]): B[] => {
  const seen: B[][] = [];
  (from(values) as Observable<A>).pipe(operator, toArray()).subscribe((all) => seen.push(all));
  expect(seen).toHaveLength(1);
  return seen[0] as B[];
};

/** A reader whose queue is of the given length; `drain$` emits on demand. */
export const slowReader = () => {
  const drain$ = new Subject<void>();
  const reader = { long: false };
  const backpressure: Backpressure = { isFull: () => reader.long, drain$ };
  return { reader, backpressure, drain$ };
};
