import fc from 'fast-check';
import { isExcluded } from '../../../src/io/http/httpClients';

const at = (host: string, port: string | undefined = '80') => ({ host, port });

describe('isExcluded', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.1.2.3/32', '10.1.2.3', true],
    ['0.0.0.0/0', '9.9.9.9', true],
    ['10.0.0.0/33', '10.0.0.0', false],
    ['10.0.0.0/8', 'ten.example', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['fd00::/8', '10.0.0.1', false],
    ['fd00::1', 'fd00::1', true],
    ['FD00:0:0::1', 'fd00::1', true],
    ['[fd00::1]', 'fd00::1', true],
    ['[fd00::1]:80', 'fd00::1', true],
    ['[fd00::1]:81', 'fd00::1', false],
    ['a.example, 10.0.0.0/8 b.example', '10.9.9.9', true],
    ['a.example.', 'a.example', true],
    ['a.example', 'a.example.', true],
    ['.a.example.:80', 'b.a.example.', true],
    ['a.example.:81', 'a.example', false],
    ['.', 'a.example.', false],
    ['', 'a.example', false],
    ['/8', 'a.example', false],
  ])('reads %j for %s: %s', (list, host, expected) => expect(isExcluded(list, at(host))).toBe(expected));

  it('finds each address in the range that begins with it, and reads any list', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.string(), (host, bits, more) => {
        expect(isExcluded(`${more},${host}/${bits}`, at(host))).toBe(true);
        expect(typeof isExcluded(more, at(host))).toBe('boolean');
      }),
    );
  });
});
