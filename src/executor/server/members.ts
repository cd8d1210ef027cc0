/** Members of params that a schema cannot check: paths, bytes, times. */
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc';
import { MAX_TIMER_MS } from '../../streams';
import { fromBase64 } from './base64';

const invalid = (message: string): RpcError => new RpcError(INVALID_PARAMS, message);

/** The bytes of padded base64. Throws RpcError. */
export const toBytes = (text: string): Buffer => {
  const decoded = fromBase64(text);
  if (typeof decoded === 'string') throw invalid(decoded);
  return decoded;
};

/** Two of these are a time a timer can wait for; a longer timer does not wait at all. */
const LONGEST_MS = Math.floor(MAX_TIMER_MS / 2);

export const toWaitMs = (ms: number): number => Math.min(ms, LONGEST_MS);

/**
 * An absolute path, given as a `file:` URI or as it stands. Throws RpcError.
 * @param name of the member, for the error
 */
export const toPath = (given: string, name: string): string => {
  if (given.startsWith('/')) return given;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(given)?.[1]?.toLowerCase();
  if (scheme === undefined) throw invalid(`path is not absolute: ${given}`);
  if (scheme !== 'file') throw invalid(`unsupported path URI scheme \`${scheme}\``);
  if (!URL.canParse(given)) throw invalid(`invalid URI: ${given}`);
  const { host, pathname } = new URL(given);
  if (host !== '')
    throw invalid(`${name} URI \`${given}\` is not valid on this exec-server host: it names another host`);
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw invalid(`invalid URI: ${given}`);
  }
};
