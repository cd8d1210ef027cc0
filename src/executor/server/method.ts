/** The methods of an exec-server, and how their params are checked. */
import { map, type Observable } from 'rxjs';
import type * as z from 'zod/mini';
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import type { ExecNotification } from '../../protocol/exec/codec';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';

/** What a method sends: its result once, and notifications before and after it. */
export type Output = Result | ExecNotification;

/** Runs the params of a request. An RpcError becomes the response as long as there is no result. Unsubscribing cancels it. */
export type Method = (params: unknown) => Observable<Output>;

/** A method whose params are checked against a schema before it runs. */
export const method =
  <S extends z.core.$ZodType>(schema: () => S, run: (params: z.output<S>) => Observable<Output>): Method =>
  (params) =>
    run(checkExecParams(schema(), params));

/** Each value as a result. */
export const results = <T>(value$: Observable<T>, toValue: (value: T) => unknown = (value) => value) =>
  value$.pipe(map((value): Output => toResult(toValue(value))));

/** A notification to the client. */
export const notification = (name: string, params: unknown): Output => ({ kind: 'notification', method: name, params });
