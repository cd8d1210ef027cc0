import fc from 'fast-check';
import { isNatsAddress, NatsError, parseNatsAddress } from '../../../src/io/nats/natsAddress';

describe('parseNatsAddress', () => {
  it.each([
    ['nats://host', ['host:4222'], false, '', 'nats://host:4222'],
    ['NATS://Host:1,b.c:2', ['host:1', 'b.c:2'], false, '', 'nats://host:1,b.c:2'],
    ['tls://[::1]:7/a%20tape/x', ['[::1]:7'], true, 'a tape/x', 'tls://[::1]:7'],
    ['nats://h/', ['h:4222'], false, '', 'nats://h:4222'],
  ])('reads %s', (text, servers, isTls, name, shown) => {
    expect(parseNatsAddress(text)).toEqual({ servers, isTls, name, shown });
  });

  it.each([
    ['nats://', 'an address of NATS is nats://HOST'],
    ['http://host', 'an address of NATS is nats://HOST'],
    ['nats://host?x=1', 'an address of NATS is nats://HOST'],
    ['nats://a,', '"" is no HOST[:PORT]'],
    ['nats://a:0', '"a:0" is no HOST[:PORT]'],
    ['nats://a:65536', '"a:65536" is no HOST[:PORT]'],
    ['nats://a/%', '"%" is no name'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseNatsAddress(text)).toThrow(reason);
  });

  it('refuses credentials without repeating them', () => {
    const refusal = () => parseNatsAddress('nats://user:geheim@host');
    expect(refusal).toThrow('holds no user or password');
    expect(refusal).not.toThrow('geheim');
  });

  it('reads what it has shown, and throws nothing but a NatsError', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.domain(), fc.integer({ min: 1, max: 65_535 })), { minLength: 1 }), (hosts) => {
        const { shown, servers } = parseNatsAddress(`nats://${hosts.map(([host, port]) => `${host}:${port}`).join()}`);
        expect(parseNatsAddress(shown)).toEqual({ servers, isTls: false, name: '', shown });
      }),
    );
    fc.assert(
      fc.property(fc.string(), (rest) => {
        try {
          parseNatsAddress(`nats://${rest}`);
        } catch (error) {
          expect(error).toBeInstanceOf(NatsError);
        }
      }),
    );
  });
});

describe('isNatsAddress', () => {
  it.each([
    ['nats://', true],
    ['tls://a', true],
    ['Nats://a', true],
    ['nats', false],
    ['wss://a', false],
    ['./nats://a', false],
  ])('%s: %j', (text, is) => {
    expect(isNatsAddress(text)).toBe(is);
  });
});
