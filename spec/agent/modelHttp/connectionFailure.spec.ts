import { FailedAttempt } from '../../../src/agent/modelHttp/failures';
import { connectionFailure } from '../../../src/agent/modelHttp/statusFailure';

const errorOf = (message: string, code: string) => Object.assign(new Error(message), { code });

/** What a caller reads, and whether another attempt is made. */
const seen = (error: Error) => {
  const failure = connectionFailure('http://me:secret@localhost:9/v1/responses?key=secret', error);
  const { message } = failure instanceof FailedAttempt ? failure.finalError : failure;
  return { message, again: failure instanceof FailedAttempt };
};

describe('connectionFailure', () => {
  const url = 'error sending request for url (http://localhost:9/v1/responses)';
  const down = 'nothing accepts connections there, is the model server running?';
  const both = Object.assign(
    new AggregateError([
      errorOf('connect ECONNREFUSED ::1:9', 'ECONNREFUSED'),
      errorOf('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED'),
    ]),
    { code: 'ECONNREFUSED' },
  );

  it.each<[string, Error, string, boolean]>([
    ['a refusal', errorOf('connect ECONNREFUSED ::1:9', 'ECONNREFUSED'), `connect ECONNREFUSED ::1:9 (${down})`, true],
    [
      'a refusal of each address of a name',
      both,
      `connect ECONNREFUSED ::1:9, connect ECONNREFUSED 127.0.0.1:9 (${down})`,
      true,
    ],
    [
      'a reset',
      errorOf('no response', 'ECONNRESET'),
      'no response (the connection was closed before an answer came)',
      true,
    ],
    [
      'too many open files',
      errorOf('connect EMFILE 127.0.0.1:9', 'EMFILE'),
      'connect EMFILE 127.0.0.1:9 (this process has too many open files: raise the limit (ulimit -n))',
      true,
    ],
    [
      'an unknown name',
      errorOf('getaddrinfo ENOTFOUND x', 'ENOTFOUND'),
      'getaddrinfo ENOTFOUND x (no host of this name is known; is the name right, and is there a network?)',
      true,
    ],
    [
      'a name that cannot be looked up now',
      errorOf('getaddrinfo EAI_AGAIN x', 'EAI_AGAIN'),
      'getaddrinfo EAI_AGAIN x (the name could not be looked up; is there a network?)',
      true,
    ],
    ['another error of the connection', errorOf('connect EINVAL', 'EINVAL'), 'connect EINVAL', true],
    [
      'a connection that takes too long',
      errorOf('no connection within 15 s', 'ECONNECTTIMEOUT'),
      'no connection within 15 s (connect_timeout_ms of the model provider sets this limit)',
      true,
    ],
    [
      'a certificate that is not trusted',
      errorOf('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
      'self-signed certificate (the certificate is not trusted; SSL_CERT_FILE or NODE_EXTRA_CA_CERTS may name a file of authorities to trust)',
      false,
    ],
    [
      'a server without TLS',
      errorOf(
        'write EPROTO 805C2733F47F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/ssl3_record.c:350:\n',
        'EPROTO',
      ),
      'wrong version number (the server speaks no TLS there: use http://, or the port where it does)',
      false,
    ],
    [
      'another error of TLS',
      errorOf(
        'write EPROTO 805C2733F47F0000:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/rec.c:1:SSL alert number 40\n',
        'EPROTO',
      ),
      'sslv3 alert handshake failure',
      true,
    ],
    [
      'variables that are no good',
      Object.assign(new Error('SSL_CERT_FILE names x'), { name: 'SetupError' }),
      'SSL_CERT_FILE names x',
      false,
    ],
    ['a malformed URL', new TypeError('Invalid URL'), 'Invalid URL', false],
  ])('names address and cause of %s, without the query', (_name, error, cause, again) => {
    expect(seen(error)).toEqual({ message: `${url}: ${cause}`, again });
  });
});
