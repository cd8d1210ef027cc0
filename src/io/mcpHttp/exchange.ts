/** Exchanges of MCP over HTTP: which line begins a session, which status is fine, what to do if the server cannot be reached. */
import { parseLine } from '../../protocol/jsonrpc/parseLine';

/** Source: Node 20 and 26, the texts of TLS errors. */
const OF_CERTIFICATE = /certificate|CERT_|altnames/i;

const NOT_TLS = /wrong version number|packet length too long/i;
const UNKNOWN_HOST = /ENOTFOUND|EAI_AGAIN/;

/** The remedy for the reason that the system gives. */
export const remedyOf = (reason: string): string => {
  if (OF_CERTIFICATE.test(reason))
    return 'SSL_CERT_FILE or NODE_EXTRA_CA_CERTS can name the file of your own certificate authority';
  if (NOT_TLS.test(reason)) return 'the server speaks no TLS there: use http://, or the port where it does';
  return UNKNOWN_HOST.test(reason) ? 'check that the name of the host is right' : 'is the server running?';
};

/** Whether a status means success. */
export const isFine = (status: number): boolean => status >= 200 && status < 300;

/** Whether a line begins a session. */
export const isInitialize = (line: string): boolean =>
  parseLine(line).messages.some((message) => message.kind === 'request' && message.method === 'initialize');

/** Whether a line reports that the client is ready, which ends the handshake. */
export const isInitialized = (line: string): boolean =>
  parseLine(line).messages.some(
    (message) => message.kind === 'notification' && message.method === 'notifications/initialized',
  );
