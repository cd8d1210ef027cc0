import type { IncomingRequest } from '../../../src/io/http/incomingRequest';
import { authorizeLocal } from '../../../src/io/mcpServer/httpAddress';

const end = { address: '127.0.0.1', port: 1 };
const incoming = (headers: IncomingRequest['headers']): IncomingRequest => ({
  upgrade: false,
  method: 'POST',
  url: '/mcp',
  headers,
  from: end,
  to: end,
});

describe('authorizeLocal', () => {
  const authorize = authorizeLocal({ hosts: ['box.lan'], isOwnUser: () => true });

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
    const others = authorizeLocal({ hosts: [], isOwnUser: () => false });
    expect(others(incoming({ host: 'localhost' }))).toBe(403);
  });
});
