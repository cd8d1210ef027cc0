/** Paths and `file:` URIs. */
import { INVALID_PARAMS, RpcError } from '../protocol/jsonrpc/messages';

const invalid = (message: string): RpcError => new RpcError(INVALID_PARAMS, message);

/**
 * An absolute path, given as a `file:` URI or as it stands. Throws RpcError.
 * @param name of the parameter, for the error
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

/** An absolute path as a `file:` URI. */
export const toUri = (absolute: string): string => {
  const url = new URL('file:///');
  url.pathname = absolute.replace(/[%\\\n\r\t]/g, encodeURIComponent);
  return url.href;
};
