import fc from 'fast-check';
import { FailedAttempt } from '../../../src/agent/modelHttp/failures';
import { connectionFailure, toRetryAfterMs, toUsageText } from '../../../src/agent/modelHttp/statusFailure';

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

const NOW = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
const read = (header: string | string[] | undefined) => toRetryAfterMs(header, () => NOW);

describe('toRetryAfterMs', () => {
  it.each([
    ['2', 2_000],
    [' 0.5 ', 500],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:09 GMT', 9_000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    [['3', '4'], 3_000],
    ['', undefined],
    [' ', undefined],
    ['soon', undefined],
    ['9'.repeat(400), undefined],
    [[], undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, waitMs) => {
    expect(read(header)).toBe(waitMs);
  });

  it('is never negative and never NaN', () => {
    fc.assert(fc.property(fc.string(), (header) => expect(read(header) ?? 0).toBeGreaterThanOrEqual(0)));
  });
});

const limit = (own: object) => toUsageText({ type: 'usage_limit_reached', ...own });

describe('toUsageText', () => {
  it.each([
    [30, 'less than a minute'],
    [60, '1 minute'],
    [12_720, '3 hours 32 minutes'],
    [93_600, '1 day 2 hours'],
    [180_061, '2 days 2 hours 1 minute'],
  ])('writes %d seconds as %s', (resets_in_seconds, words) => {
    expect(limit({ resets_in_seconds })).toBe(`You've hit your usage limit. Try again in ${words}.`);
  });

  it.each([Number.POSITIVE_INFINITY, Number.NaN, -60, '60'])('names no time for %p seconds', (resets_in_seconds) => {
    expect(limit({ resets_in_seconds })).toBe("You've hit your usage limit. Try again later.");
  });

  it('offers the upgrade to those who can have it', () => {
    const offer = "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again";
    expect(limit({ plan_type: 'plus', resets_in_seconds: 60 })).toBe(`${offer} in 1 minute.`);
    expect(limit({ plan_type: 'plus' })).toBe(`${offer} later.`);
    expect(limit({ plan_type: 'pro' })).toBe("You've hit your usage limit. Try again later.");
  });

  it('knows a plan without Codex, and nothing else', () => {
    expect(toUsageText({ type: 'usage_not_included' })).toContain('upgrade to Plus');
    expect(toUsageText({ type: 'rate_limit' })).toBeUndefined();
  });
});
