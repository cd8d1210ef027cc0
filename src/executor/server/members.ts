/** Members of params that a schema cannot check: bytes and times. */
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { MAX_TIMER_MS } from '../../streams/time/wait';
import { fromBase64 } from './base64';

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
