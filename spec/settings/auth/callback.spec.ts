import { type CallbackRequest, readCallback } from '../../../src/settings/auth/callback';

const login = { port: 1455, state: 'S', isUsed: false };
const HOST = { host: 'localhost:1455' };
const get = (url: string, headers: CallbackRequest['headers'] = HOST): CallbackRequest => ({
  method: 'GET',
  url,
  headers,
});
const answered = (status: number, text: string) => ({ kind: 'answered', response: { status, text } });

describe('readCallback', () => {
  it.each<[string, CallbackRequest, object]>([
    ['the code', get('/auth/callback?code=c&state=S'), { kind: 'code', code: 'c' }],
    [
      'the code by number',
      get('/auth/callback?code=c&state=S', { host: '127.0.0.1:1455' }),
      { kind: 'code', code: 'c' },
    ],
    ['another state', get('/auth/callback?code=c&state=T'), answered(400, 'State mismatch')],
    ['no state', get('/auth/callback?code=c'), answered(400, 'State mismatch')],
    ['no code', get('/auth/callback?state=S'), answered(400, 'Missing authorization code')],
    ['an empty code', get('/auth/callback?code=&state=S'), answered(400, 'Missing authorization code')],
    [
      'a login that was declined',
      get('/auth/callback?error=access_denied&state=S'),
      {
        kind: 'failed',
        message: 'the login was declined (access_denied)',
        response: { status: 400, text: 'Login was declined' },
      },
    ],
    ['an error of somebody else', get('/auth/callback?error=access_denied'), answered(400, 'State mismatch')],
    [
      'a later login',
      get('/cancel'),
      {
        kind: 'failed',
        message: 'the login was cancelled, for example because another login was started',
        response: { status: 200, text: 'Login cancelled' },
      },
    ],
    ['a web page that cancels', get('/cancel', { ...HOST, origin: 'http://evil' }), answered(403, 'Forbidden')],
    ['a picture that cancels', get('/cancel', { ...HOST, 'sec-fetch-site': 'cross-site' }), answered(403, 'Forbidden')],
    ['a sandbox that cancels', { ...get('/cancel'), isForeign: true }, answered(403, 'Forbidden')],
    [
      'the code, from a browser in a container',
      { ...get('/auth/callback?code=c&state=S'), isForeign: true },
      { kind: 'code', code: 'c' },
    ],
    ['a rebound name', get('/auth/callback?code=c&state=S', { host: 'evil:1455' }), answered(403, 'Forbidden')],
    ['no host', get('/cancel', {}), answered(403, 'Forbidden')],
    [
      'another method',
      { ...get('/auth/callback?code=c&state=S'), method: 'POST' },
      answered(405, 'Method Not Allowed'),
    ],
    ['another page', get('/favicon.ico'), answered(404, 'Not Found')],
    ['a path that is none', get('//'), answered(400, 'Bad Request')],
    ['a path that is none, of a rebound name', get('//', { host: 'evil:1455' }), answered(403, 'Forbidden')],
    ['an address that is none', get('http://[/cancel'), answered(400, 'Bad Request')],
    ['an address of another host', get('http://evil/cancel', { host: 'evil' }), answered(403, 'Forbidden')],
  ])('reads %s', (_, request, expected) => {
    expect(readCallback(login, request)).toEqual(expected);
  });

  it('takes a code once', () => {
    expect(readCallback({ ...login, isUsed: true }, get('/auth/callback?code=c&state=S'))).toEqual(
      answered(400, 'This login was used already'),
    );
  });
});
