import { type HttpCall, redirected } from '../../../src/io/http/redirected';

const headers = [
  { name: 'Authorization', value: 'Bearer t' },
  { name: 'Cookie', value: 'c' },
  { name: 'Content-Type', value: 'text/plain' },
  { name: 'Accept', value: '*/*' },
];
const call: HttpCall = { method: 'POST', url: 'https://a.example/x', headers, body: Buffer.from('b') };
const to = (location: string, statusCode = 307) => ({ statusCode, headers: { location } });
const namesOf = (next: HttpCall | undefined) => next?.headers.map(({ name }) => name);

describe('redirected', () => {
  it.each([
    ['the same origin', '/y', 'https://a.example/y', ['Authorization', 'Cookie', 'Content-Type', 'Accept']],
    ['the same origin, in full', 'https://A.example:443/y', 'https://a.example/y', namesOf(call)],
    ['another host', 'https://b.example/', 'https://b.example/', ['Content-Type', 'Accept']],
    ['another scheme', 'http://a.example/', 'http://a.example/', ['Content-Type', 'Accept']],
    ['another port', 'https://a.example:8443/', 'https://a.example:8443/', ['Content-Type', 'Accept']],
    ['another scheme on the same port', 'http://a.example:443/', 'http://a.example:443/', ['Content-Type', 'Accept']],
  ])('carries credentials only to the same scheme, host and port: %s', (_, location, url, names) => {
    const next = redirected(call, to(location));
    expect(next?.url).toBe(url);
    expect(namesOf(next)).toEqual(names);
  });

  it.each([
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('goes on after %i with %s', (status, method) => {
    const next = redirected(call, to('/y', status));
    expect([next?.method, next?.body !== undefined]).toEqual([method, method === 'POST']);
  });

  it.each([
    ['a response that is no redirect', call, to('/y', 200)],
    ['a redirect without a location', call, { statusCode: 302, headers: {} }],
    ['a redirect where they are not followed', { ...call, redirects: 'stop' as const }, to('/y')],
  ])('stops at %s', (_, request, head) => {
    expect(redirected(request, head)).toBeUndefined();
  });
});
