import { proxyOf } from '../../../src/io/http/httpClients';

const P = 'http://proxy:8080';

describe('proxyOf', () => {
  it.each([
    ['nothing set', {}, 'https://a.example/v1', undefined],
    ['the variable of https', { HTTPS_PROXY: P }, 'https://a.example/v1', P],
    ['the variable of http only', { HTTP_PROXY: P }, 'https://a.example/v1', undefined],
    ['the variable of http', { HTTP_PROXY: P }, 'http://a.example/v1', P],
    ['the variable for all', { ALL_PROXY: P }, 'http://a.example/v1', P],
    ['small letters first', { https_proxy: P, HTTPS_PROXY: 'http://other' }, 'https://a.example', P],
    ['a blank variable', { HTTPS_PROXY: ' ' }, 'https://a.example', undefined],
    ['a proxy without a scheme', { HTTPS_PROXY: 'proxy:8080' }, 'https://a.example', P],
    ['a scheme that is none of ours', { ALL_PROXY: 'socks5://p:1080' }, 'https://a.example', 'socks5://p:1080'],
    ['this machine', { HTTP_PROXY: P }, 'http://localhost:11434/v1', undefined],
    ['this machine by number', { HTTP_PROXY: P }, 'http://127.0.0.1:11434/v1', undefined],
    ['this machine by number of version 6', { HTTP_PROXY: P }, 'http://[::1]:11434/v1', undefined],
    ['all excluded', { HTTPS_PROXY: P, NO_PROXY: '*' }, 'https://a.example', undefined],
    ['the host excluded', { HTTPS_PROXY: P, NO_PROXY: 'b.example, A.example' }, 'https://a.example', undefined],
    ['a domain excluded', { HTTPS_PROXY: P, no_proxy: 'example' }, 'https://a.example', undefined],
    ['a domain with a dot', { HTTPS_PROXY: P, NO_PROXY: '.example' }, 'https://a.example', undefined],
    ['a domain with a star', { HTTPS_PROXY: P, NO_PROXY: '*.example' }, 'https://a.example', undefined],
    ['another domain', { HTTPS_PROXY: P, NO_PROXY: 'xample,,' }, 'https://a.example', P],
    ['the port excluded', { HTTPS_PROXY: P, NO_PROXY: 'a.example:443' }, 'https://a.example', undefined],
    ['another port excluded', { HTTPS_PROXY: P, NO_PROXY: 'a.example:8443' }, 'https://a.example', P],
    ['a number excluded', { HTTP_PROXY: P, NO_PROXY: '10.0.0.1' }, 'http://10.0.0.1/v1', undefined],
    ['a number of version 6 excluded', { HTTP_PROXY: P, NO_PROXY: '[fd00::1]:80' }, 'http://[fd00::1]/v1', undefined],
  ])('knows %s', (_, env, url, proxy) => {
    expect(proxyOf(env as Record<string, string>, url)?.address).toBe(proxy);
  });

  it('names the variable that counts', () => {
    expect(proxyOf({ https_proxy: ' ', HTTPS_PROXY: P, ALL_PROXY: 'x' }, 'https://a.example')?.variable).toBe(
      'HTTPS_PROXY',
    );
    expect(proxyOf({ all_proxy: P }, 'https://a.example')?.variable).toBe('all_proxy');
  });
});
