/** The state that a client of 2026-07-28 sends back with its answers: signed, bound to one call, short-lived. */
import { isObject, isTooDeep, type JsonObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { lazy } from '../../../streams/lazy';
import type { Asked } from '../readAnswers';

/** Loaded by the first call, as start-up time counts. */
const crypto = lazy(() => require('node:crypto') as typeof import('node:crypto'));

/** Names a waiting call and its open questions. */
export type RequestState = Asked & {
  callId: string;
  /** Stands for tool and arguments of the call. */
  digest: string;
  /** In ms of the clock of the sealer. */
  expires: number;
};

/** Signs and reads states; `open` throws RpcError -32602 for what was not signed here, or too long ago. */
export type Sealer = { seal: (state: RequestState) => string; open: (text: string) => RequestState };

/**
 * A sealer by HMAC-SHA-256.
 * @param key secret of this process, asked for when the first state is signed
 * @param clockMs ms since some moment of this process; it never jumps, unlike the time of day
 * Source: 2026-07-28 basic/patterns/mrtr "Server Requirements" 4.
 */
export const sealer = ({ key, clockMs }: { key: () => Buffer; clockMs: () => number }): Sealer => {
  const sign = (body: string): Buffer => crypto().createHmac('sha256', key()).update(body).digest();
  const isGenuine = (body: string, mark: string): boolean => {
    const given = Buffer.from(mark, 'base64url');
    const right = sign(body);
    return (
      given.toString('base64url') === mark && given.length === right.length && crypto().timingSafeEqual(given, right)
    );
  };
  return {
    seal: (state) => {
      const body = Buffer.from(JSON.stringify(state)).toString('base64url');
      return `${body}.${sign(body).toString('base64url')}`;
    },
    open: (text) => {
      const [body = '', mark = ''] = text.split('.');
      if (!isGenuine(body, mark)) throw rejected('was not made by this server');
      const state: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
      if (!isObject(state) || (state.expires as number) < clockMs()) throw rejected('has expired');
      return state as RequestState;
    },
  };
};

const rejected = (why: string): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: params.requestState ${why}; call the tool again`);

/** Deeper than any arguments of a tool; recursion ends here, before the stack does. */
const MAX_DEPTH = 200;

/** One short text for a tool and its arguments, whatever the order of their members. Throws RpcError -32602 for what is nested too deep. */
export const digestOf = (tool: string, args: JsonObject): string => {
  withoutDigest(args);
  return crypto()
    .createHash('sha256')
    .update(JSON.stringify([tool, sorted(args)]))
    .digest('base64url');
};

/** The digest of a call that no client can retry. Throws as `digestOf` does. */
export const withoutDigest = (args: JsonObject): string => {
  if (isTooDeep(args, MAX_DEPTH))
    throw new RpcError(INVALID_PARAMS, `Invalid params: params.arguments is nested deeper than ${MAX_DEPTH} levels`);
  return '';
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
};
