import type { IncomingRequest } from '../../../src/io/http/listenHttp';
import {
  authorizeLocal,
  isHttpUrl,
  problemOfHttp,
  readHttpAddress,
  toPublicUrl,
} from '../../../src/io/mcpServer/httpAddress';

describe('readHttpAddress', () => {
  it.each([
    ['3001', { host: '127.0.0.1', port: 3001 }],
    ['0', { host: '127.0.0.1', port: 0 }],
    ['65535', { host: '127.0.0.1', port: 65_535 }],
    ['localhost:1', { host: '127.0.0.1', port: 1 }],
    ['10.0.0.1:80', { host: '10.0.0.1', port: 80 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['65536', undefined],
    ['host:80', undefined],
    ['::1:80', undefined],
    ['[10.0.0.1]:80', undefined],
    ['10.0.0.1', undefined],
    ['http://127.0.0.1:80', undefined],
    ['', undefined],
  ])('reads %j', (text, expected) => {
    expect(readHttpAddress(text)).toEqual(expected);
  });
});

describe('problemOfHttp', () => {
  it('refuses what is no address, and one that others reach without the hosts that they may name', () => {
    expect(problemOfHttp('host', [])).toMatch(/^--http host is not an address/);
    expect(problemOfHttp('10.0.0.1:80', [])).toMatch(/Other machines can reach 10\.0\.0\.1/);
    expect(problemOfHttp('10.0.0.1:80', ['h'])).toBeUndefined();
    expect(problemOfHttp('80', [])).toBeUndefined();
  });
});

describe('toPublicUrl', () => {
  it('leaves out user, password, query and fragment', () => {
    expect(toPublicUrl(new URL('https://u:p@h:8443/a/b?key=1#f'))).toBe('https://h:8443/a/b');
  });

  it('masks what of its path looks generated', () => {
    expect(toPublicUrl(new URL('https://h/s/0a1b2c3d4e5f6a7b/mcp'))).toBe('https://h/s/[redacted]/mcp');
  });
});

describe('isHttpUrl', () => {
  it.each([
    ['http://h', true],
    ['https://h/a', true],
    ['https://', false],
    ['ftp://h', false],
    ['/http://h', false],
  ])('%s: %j', (text, expected) => {
    expect(isHttpUrl(text)).toBe(expected);
  });
});

const end = { address: '127.0.0.1', port: 1 };

const incoming = (headers: IncomingRequest['headers']): IncomingRequest => ({
  upgrade: false,
  method: 'POST',
  url: '/mcp',
  headers,
  connection: {},
  from: end,
  to: end,
});

describe('authorizeLocal', () => {
  const authorize = authorizeLocal({ hosts: ['box.lan'], isOwnProcess: () => true });

  it.each([
    [{ host: '127.0.0.1:3001' }, 'accepted'],
    [{ host: 'localhost' }, 'accepted'],
    [{ host: '[::1]:3001' }, 'accepted'],
    [{ host: 'box.lan:3001' }, 'accepted'],
    [{ host: 'localhost:3001', origin: 'http://localhost:6274' }, 'accepted'],
    [{ host: 'evil.example:3001' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ host: 'localhost:3001', origin: 'http://evil.example' }, 403],
    [{ host: 'localhost:3001', origin: 'null' }, 403],
    [{ host: 'localhost@evil.example' }, 403],
    [{ host: 'localhost', 'sec-fetch-site': 'cross-site' }, 403],
    [{ host: 'localhost', 'sec-fetch-site': 'same-origin' }, 'accepted'],
    [{ host: '127.0.0.1', origin: 'http://localhost:6274', 'sec-fetch-site': 'cross-site' }, 'accepted'],
    [{}, 403],
  ])('gives %j %s', (headers, expected) => {
    expect(authorize(incoming(headers))).toBe(expected);
  });

  it('refuses another user of the machine', () => {
    const others = authorizeLocal({ hosts: [], isOwnProcess: () => false });
    expect(others(incoming({ host: 'localhost' }))).toBe(403);
  });
});
