/** The methods of an exec-server: how their params are checked, and bytes as the wire has them, in padded base64. */
import { map, type Observable } from 'rxjs';
import type * as z from 'zod/mini';
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import type { ExecNotification } from '../../protocol/exec/codec';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';
import { toBuffer } from '../../streams/bytes/toBuffer';
import { MAX_TIMER_MS } from '../../streams/time/wait';

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

/** Bytes in base64. */
export const toBase64 = (bytes: Uint8Array): string => toBuffer(bytes).toString('base64');

/** The bytes, or the fault of the text. Source: codex exec-server 0.142.0, whose decoder is strict. */
export const fromBase64 = (text: string): Buffer | string => {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  const bad = /[^A-Za-z0-9+/=]/.exec(text);
  return bad ? `Invalid symbol ${bad[0].charCodeAt(0)}, offset ${bad.index}.` : 'Invalid padding';
};

/** The bytes of padded base64. Throws RpcError. */
export const toBytes = (text: string): Buffer => {
  const decoded = fromBase64(text);
  if (typeof decoded === 'string') throw new RpcError(INVALID_PARAMS, decoded);
  return decoded;
};

/** Half of what a timer can wait for, as two such times are added; a longer timer would fire at once. */
const LONGEST_MS = Math.floor(MAX_TIMER_MS / 2);

/** Limits the waiting time that a client asks for. */
export const toWaitMs = (ms: number): number => Math.min(ms, LONGEST_MS);
