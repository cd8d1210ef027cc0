/** Owns what a method says: its answer, and what it tells unasked. */
import { map, type Observable } from 'rxjs';
import type { ExecNotification } from '../../protocol/exec';
import type { Ask } from './clientConnection';

/** A request is answered once; before and after that more may be told. An answer `to` another request says so. */
export type Said = { kind: 'answer'; result: unknown; to?: Ask } | ExecNotification;

/**
 * Runs a request's params; errors become its answer. One that leaves its answer to what another request runs completes
 * without a word.
 */
export type Method = (params: unknown, ask: Ask) => Observable<Said>;

export const answer = (result: unknown): Said => ({ kind: 'answer', result });
export const answerTo = (to: Ask, result: unknown): Said => ({ kind: 'answer', result, to });

/** Every element as an answer. */
export const answers = <T>(
  result$: Observable<T>,
  toResult: (value: T) => unknown = (value) => value,
): Observable<Said> => result$.pipe(map((value) => answer(toResult(value))));

export const tell = (method: string, params: unknown): Said => ({ kind: 'notification', method, params });
