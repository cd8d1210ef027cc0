import { toTarget } from '../../../../src/transport/http/direct/target';

describe('toTarget', () => {
  it.each([
    [
      'http://model.test/v1?a=b#c',
      {
        server: 'http://model.test',
        isSecure: false,
        host: 'model.test',
        port: 80,
        authority: 'model.test',
        path: '/v1?a=b',
      },
    ],
    [
      'https://model.test:8443',
      {
        server: 'https://model.test:8443',
        isSecure: true,
        host: 'model.test',
        port: 8443,
        authority: 'model.test:8443',
        path: '/',
      },
    ],
    [
      'https://[::1]/x y',
      { server: 'https://[::1]', isSecure: true, host: '::1', port: 443, authority: '[::1]', path: '/x%20y' },
    ],
    [
      'http://me:p%40ss@127.0.0.1:1/',
      {
        server: 'http://127.0.0.1:1',
        isSecure: false,
        host: '127.0.0.1',
        port: 1,
        authority: '127.0.0.1:1',
        path: '/',
        login: 'Basic bWU6cEBzcw==',
      },
    ],
  ])('takes %j apart', (url, target) => {
    expect(toTarget(url)).toEqual(target);
  });

  it.each(['nowhere', 'ftp://model.test/', 'file:///etc/passwd'])('refuses %j', (url) => {
    expect(() => toTarget(url)).toThrow(expect.objectContaining({ name: 'TypeError' }));
  });
});
