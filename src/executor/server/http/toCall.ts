/** The HTTP request of the params of http/request. */

import type { HttpCall } from '../../../io/http/redirected';
import { INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { toBytes } from '../members';

type Params = {
  method: string;
  url: string;
  bodyBase64?: string | null;
  redirectPolicy?: 'follow' | 'stop' | null;
  headers?: { name: string; value: string }[] | null;
};

/** The characters of a method, and of the name of a header. Source: RFC 9110 5.6.2, `token`. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const invalid = (message: string): RpcError => new RpcError(INVALID_PARAMS, `http/request ${message}`);

/** Throws RpcError for what cannot be sent. */
export const toCall = ({ method, url, bodyBase64, redirectPolicy, headers }: Params): HttpCall => {
  if (!URL.canParse(url)) throw invalid(`URL is invalid: ${url}`);
  const scheme = new URL(url).protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') throw invalid(`only supports http and https URLs, got ${scheme}`);
  if (!TOKEN.test(method)) throw invalid(`method is invalid: ${method}`);
  const wrong = headers?.find(({ name, value }) => !TOKEN.test(name) || /[\0\r\n]/.test(value));
  if (wrong) throw invalid(`header is invalid: ${wrong.name}`);
  return {
    method,
    url,
    headers: headers ?? [],
    redirects: redirectPolicy ?? 'follow',
    ...(typeof bodyBase64 === 'string' && { body: toBytes(bodyBase64) }),
  };
};
