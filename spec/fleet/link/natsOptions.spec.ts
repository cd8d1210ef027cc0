import type { PeerCertificate } from 'node:tls';
import { natsOptions } from '../../../src/fleet/link/natsOptions';
import { natsPackages } from '../../../src/fleet/link/natsPackages';
import { parseNatsAddress } from '../../../src/io/nats/natsAddress';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';

const { core } = natsPackages();
const tlsOf = (address: string) =>
  natsOptions(core, parseNatsAddress(address), NATS_DEFAULTS).tls as {
    checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
  };
const certificateOf = (subjectaltname: string) => ({ subject: { CN: 'x' }, subjectaltname }) as PeerCertificate;

describe('natsOptions', () => {
  it('asks for no encryption where neither address nor settings do', () => {
    expect(tlsOf('nats://localhost')).toBeUndefined();
  });

  it.each([
    ['tls://10.0.0.5', 'IP Address:10.0.0.5', 'localhost', true],
    ['tls://10.0.0.5:4223,[::1]:4224', 'IP Address:0:0:0:0:0:0:0:1', 'localhost', true],
    ['tls://10.0.0.5', 'DNS:localhost', 'localhost', false],
    ['tls://10.0.0.5', 'IP Address:10.0.0.6', 'localhost', false],
    ['tls://localhost', 'DNS:localhost', 'localhost', true],
    ['tls://nats.lan,10.0.0.5', 'DNS:nats.lan', 'nats.lan', true],
    ['tls://nats.lan,10.0.0.5', 'IP Address:10.0.0.5', 'nats.lan', false],
  ])('at %s takes a certificate for %s, when Node checks %s: %s', (address, names, host, isTaken) => {
    const fault = tlsOf(address).checkServerIdentity(host, certificateOf(names));
    expect(fault === undefined).toBe(isTaken);
  });
});
