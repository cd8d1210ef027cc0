import type { IncomingMessage } from 'node:http';
import { hostOf, toIncomingRequest } from '../../../src/io/http/incomingRequest';

describe('toIncomingRequest', () => {
  const socket = { remoteAddress: '10.0.0.2', remotePort: 5000, localAddress: '10.0.0.1', localPort: 80 };
  const toRequest = (message: object) => toIncomingRequest(message as IncomingMessage);

  it('has method, path, headers and both ends of the connection', () => {
    expect(toRequest({ method: 'POST', url: '/a?b', headers: { host: 'x' }, socket })).toEqual({
      method: 'POST',
      url: '/a?b',
      headers: { host: 'x' },
      from: { address: '10.0.0.2', port: 5000 },
      to: { address: '10.0.0.1', port: 80 },
    });
  });

  it('is blank where Node knows nothing, as of a connection that has closed', () => {
    const nowhere = { address: '', port: 0 };
    expect(toRequest({ headers: {}, socket: {} })).toEqual({
      method: '',
      url: '',
      headers: {},
      from: nowhere,
      to: nowhere,
    });
  });
});

describe('hostOf', () => {
  it.each([
    ['127.0.0.1', 'IPv4', '127.0.0.1:8080'],
    ['::1', 'IPv6', '[::1]:8080'],
  ])('writes %s of %s as a URL has it: %s', (address, family, expected) => {
    expect(hostOf({ address: () => ({ address, family, port: 8080 }) })).toBe(expected);
  });
});
