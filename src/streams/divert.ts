/** Sends some items of a stream another way. */
import { connect, map, merge, type Observable, type OperatorFunction } from 'rxjs';
import { mapMulti } from './gather';
import { byKind } from './ofKind';

/** Where an item can go. */
type Ways<A, R> = {
  /** Emits a value at once. */
  emit: (value: R) => void;
  /** Sends a value the other way. */
  divert: (value: A) => void;
};

type Diversion<T, A, R> = {
  /** Sends each item its way. */
  project: (item: T, ways: Ways<A, R>) => void;
  /** The other way. */
  other: (diverted$: Observable<A>) => Observable<R>;
};

/**
 * Emits what `project` emits at once, and what `other` makes of the diverted values. Completes when the source and the other way have
 * completed; errors with either, and with what `project` throws.
 *   in     -a-B-c-|          (B is diverted, and takes four frames)
 *   out    -a---c-(B|)
 */
export const divert =
  <T, A, R>({ project, other }: Diversion<T, A, R>): OperatorFunction<T, R> =>
  (item$) =>
    item$.pipe(
      mapMulti<T, Sent<A, R>>((item, emit) =>
        project(item, {
          emit: (value) => emit({ kind: 'straight', value }),
          divert: (value) => emit({ kind: 'diverted', value }),
        }),
      ),
      connect((sent$) => {
        const [straight$, diverted$] = byKind(sent$, 'straight', 'diverted');
        return merge(
          straight$.pipe(map(({ value }) => value)),
          diverted$.pipe(
            map(({ value }) => value),
            other,
          ),
        );
      }),
    );

type Sent<A, R> = { kind: 'straight'; value: R } | { kind: 'diverted'; value: A };
