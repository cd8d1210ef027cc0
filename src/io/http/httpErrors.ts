/** The errors of Node's HTTP client, in words that name the cause. */

/** No head is longer, nor a trailer. */
export const MAX_HEAD_BYTES = 32_768;

/** The error of a server that sends something other than a response. */
export const noHttp = (reason: string): Error => new Error(`the server does not speak HTTP/1.1: ${reason}`);

/** The error of a change of the protocol, which no request asks for. */
export const protocolChange = (): Error => new Error('the server changed to another protocol');

/** Errors of Node's parser have its `reason`, and the bytes where it stopped. Source: Node 20, `HPE_` in Errors. */
type NodeError = NodeJS.ErrnoException & { reason?: string; rawPacket?: Buffer };

const CLOSED: Readonly<Record<string, string>> = {
  'socket hang up': 'no response',
  aborted: 'the connection was closed within the response',
};

/** The error in words; the code stays. */
export const toHttpError = (error: NodeError): Error => {
  const { code, message } = error;
  const text = code?.startsWith('HPE_') ? noHttp(toReason(error)).message : CLOSED[message];
  return text === undefined ? error : Object.assign(new Error(text), { code });
};

const toReason = ({ code, reason, message, rawPacket }: NodeError): string => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return `the head or the trailer of its response is longer than ${MAX_HEAD_BYTES} bytes`;
  if (code !== 'HPE_INVALID_CONSTANT' || rawPacket === undefined) return reason ?? message;
  const [first = ''] = rawPacket.toString('latin1', 0, 200).split(/\r?\n/);
  return `its response begins with ${JSON.stringify(first.slice(0, 40))}`;
};

const OF_CONNECTIONS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** The code of the error of a request that does not get through a proxy. */
const PROXY_FAILED = 'EPROXY';

/** The connection that fails is the one to the proxy, so its error gets a code of its own; any other error keeps its code. */
export const throughProxy = (host: string, { message, code }: NodeJS.ErrnoException): Error =>
  Object.assign(new Error(`through the proxy ${host}: ${message}`), {
    code: code !== undefined && OF_CONNECTIONS.has(code) ? PROXY_FAILED : code,
  });
