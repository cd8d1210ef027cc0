/** Filters by the kind of a tagged union. */
import { filter, type Observable, type OperatorFunction } from 'rxjs';

/** Passes the items of this kind, with their type. */
export const ofKind = <T extends { kind: string }, K extends T['kind']>(
  kind: K,
): OperatorFunction<T, Extract<T, { kind: K }>> =>
  filter((item: T): item is Extract<T, { kind: K }> => item.kind === kind);

/**
 * Splits a stream by kind, in the given order. The source is subscribed once per kind, so share it first.
 *   const [request$, response$] = byKind(message$, 'request', 'response')
 */
export const byKind = <T extends { kind: string }, const K extends readonly T['kind'][]>(
  item$: Observable<T>,
  ...kinds: K
): { [I in keyof K]: Observable<Extract<T, { kind: K[I] }>> } =>
  kinds.map((kind) => item$.pipe(ofKind(kind))) as { [I in keyof K]: Observable<Extract<T, { kind: K[I] }>> };
