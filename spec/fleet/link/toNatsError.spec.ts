import { toNatsError } from '../../../src/fleet/link/toNatsError';
import { isPassing, NatsError } from '../../../src/io/nats/natsAddress';

const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more });

describe('toNatsError', () => {
  it.each([
    ['timeout', named('TimeoutError')],
    ['noResponder', named('RequestError', { cause: named('NoResponders') })],
    ['refused', named('RequestError', { cause: named('PermissionViolationError') })],
    ['refused', named('AuthorizationError')],
    ['unreachable', named('ConnectionError', { cause: new Error('ECONNREFUSED') })],
    ['absent', named('StreamNotFoundError', { code: 10059 })],
    ['timeout', named('ConsumerNotFoundError', { code: 10014 })],
    ['conflict', named('JetStreamApiError', { code: 10071 })],
    ['timeout', named('JetStreamApiError', { code: 10158 })],
    ['timeout', named('JetStreamApiError', { code: 10163 })],
    ['full', named('JetStreamApiError', { code: 10077 })],
    ['noResponder', named('JetStreamApiError', { code: 10076, status: 503 })],
    ['timeout', named('JetStreamApiError', { code: 10063, status: 503 })],
    ['timeout', named('JetStreamApiError', { code: 10004, status: 503 })],
    ['noResponder', named('JetStreamApiError', { status: 503, message: 'raft: not leader' })],
    ['failed', named('JetStreamApiError', { code: 10036, status: 503 })],
    ['failed', named('JetStreamApiError', { code: 1 })],
    ['large', named('InvalidArgumentError', { message: "'payload' max_payload size exceeded" })],
    ['failed', named('InvalidArgumentError')],
    ['failed', 'text'],
    ['failed', undefined],
  ])('%s: %s', (kind, error) => {
    expect(toNatsError('reading', error)).toMatchObject({ name: 'NatsError', kind });
  });

  it('names what was done, the reason and the remedy', () => {
    expect(
      toNatsError('reading a', named('JetStreamApiError', { code: 10077, message: 'maximum bytes exceeded' })).message,
    ).toBe('reading a: maximum bytes exceeded (raise its limits, or remove what is not needed any more)');
    expect(toNatsError('reading a', new Error('odd')).message).toBe('reading a: odd');
  });

  it('names the login if that is denied, and the table if a subject is', () => {
    const denied = (name: string) => toNatsError('x', new Error('no', { cause: named(name) })).message;
    expect(denied('AuthorizationError')).toMatch(
      /^x: .*\(the server denies this login: check \[nats\] of config\.toml/,
    );
    expect(denied('PermissionViolationError')).toMatch(/\(the server denies this login or subject: see the table/);
  });

  it('explains how JetStream is switched on, and what to look at if no server answers', () => {
    const { message, kind } = toNatsError('x', named('JetStreamNotEnabled'));
    expect([message, kind]).toEqual([
      expect.stringContaining('or JetStream is off: start it with -js -sd FOLDER, or write'),
      'noResponder',
    ]);
    expect(toNatsError('x', named('ConnectionError')).message).toBe(
      'x: x (see that a server runs there, and that the address is right)',
    );
  });

  it('explains how a certificate is shown to a server that demands one', () => {
    const alert =
      '80:error:0A000412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate:../a.c:1:SSL alert number 42';
    const { kind, message } = toNatsError('x', new Error('closed', { cause: new Error(alert) }));
    expect([kind, message]).toEqual([
      'refused',
      expect.stringMatching(
        /^x: sslv3 alert bad certificate \(the server accepts only .* by cert and key under \[nats\]/,
      ),
    ]);
    expect(toNatsError('x', new Error('a:tlsv13 alert certificate required:b')).kind).toBe('refused');
  });

  it('leaves one of ours as it is', () => {
    const error = new NatsError('full', 'x');
    expect(toNatsError('reading', error)).toBe(error);
  });
});

describe('isPassing', () => {
  it('is true for what may succeed a little later', () => {
    const kinds = ['timeout', 'noResponder', 'refused', 'full', 'conflict', 'absent', 'failed'] as const;
    expect(kinds.filter((kind) => isPassing(new NatsError(kind, '')))).toEqual(['timeout', 'noResponder']);
    expect(isPassing(new Error('timeout'))).toBe(false);
  });
});
