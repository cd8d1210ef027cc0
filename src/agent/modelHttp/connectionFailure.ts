/** The error of a request that got no response, and whether another attempt may succeed. */
import { ModelError } from '../../protocol/model/model';
import { systemRemedy } from '../../streams/text/reasons';
import { FailedAttempt } from './failedAttempt';
import { toShownUrl } from './request';

/** Plain explanations of connection errors; other errors, such as a bad certificate, have their own. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNECTTIMEOUT: 'connect_timeout_ms of the model provider sets this limit',
  ECONNREFUSED: 'nothing accepts connections there, is the model server running?',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before the request was sent',
  ENOTFOUND: 'no host of this name is known; is the name right, and is there a network?',
  EAI_AGAIN: 'the name could not be looked up; is there a network?',
  ENETUNREACH: 'there is no route to it; is there a network?',
  EHOSTUNREACH: 'there is no route to it; is the host up?',
};

const TRUST =
  'the certificate is not trusted; SSL_CERT_FILE or NODE_EXTRA_CA_CERTS may name a file of authorities to trust';

/** The resources that this machine may run out of. */
const SCARCE = Object.fromEntries(['EMFILE', 'ENFILE', 'ENOMEM'].map((code) => [code, systemRemedy(code)]));

/** Errors that another attempt would hit again. Source: OpenSSL, X509_STORE_CTX_get_error; names as Node writes them. */
const LASTING: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  CERT_HAS_EXPIRED: 'the certificate is out of date, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** OpenSSL's text of an error, between its number and its position in the source. Source: Node 20 and 26. */
const OF_OPENSSL = /:SSL routines:[^:]*:([^:]+):/;

/** A server without TLS sends something other than the beginning of a handshake. */
const NOT_TLS = /^(?:wrong version number|packet length too long)$/;
const NO_TLS_THERE = 'the server speaks no TLS there: use http://, or the port where it does';

/** The URL, a header, or the environment is invalid. */
const FAULTS = new Set(['TypeError', 'SetupError']);

/** The error of a request without a response. The query and a login are left out of its text. */
export const connectionFailure = (url: string, error: NodeJS.ErrnoException): FailedAttempt | ModelError => {
  const failure = (retryable: boolean) =>
    new ModelError(`error sending request for url (${toShownUrl(url)}): ${toCause(error)}`, retryable);
  const lasts = FAULTS.has(error.name) || Object.hasOwn(LASTING, error.code ?? '') || NOT_TLS.test(toText(error));
  return lasts ? failure(false) : new FailedAttempt(failure(true));
};

/** A name with several addresses fails with one error for each, and has no text of its own. */
const toCause = (error: NodeJS.ErrnoException): string => {
  const { code = '' } = error;
  const causes: Error[] = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const text = [...new Set(causes.map(toText))].join(', ');
  const words = NOT_TLS.test(text) ? NO_TLS_THERE : (CAUSES[code] ?? LASTING[code] ?? SCARCE[code]);
  return words === undefined ? text : `${text} (${words})`;
};

const toText = ({ message }: Error): string => OF_OPENSSL.exec(message)?.[1] ?? message;
