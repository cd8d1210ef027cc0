/** Owns what a method says: its answer, and what it tells unasked. */
import { map, type Observable } from 'rxjs';
import type { ExecNotification } from '../../protocol';

/** A method answers once; before and after it may tell. */
export type Said = { kind: 'answer'; result: unknown } | ExecNotification;

/** Runs a request's params; errors become its answer. */
export type Method = (params: unknown) => Observable<Said>;

export const answer = (result: unknown): Said => ({ kind: 'answer', result });

/** Every element as an answer. */
export const answers = <T>(
  result$: Observable<T>,
  toResult: (value: T) => unknown = (value) => value,
): Observable<Said> => result$.pipe(map((value) => answer(toResult(value))));

export const tell = (method: string, params: unknown): Said => ({ kind: 'notification', method, params });
