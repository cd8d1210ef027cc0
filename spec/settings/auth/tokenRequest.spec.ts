import { concat, NEVER, of, throwError } from 'rxjs';
import type { HttpRequest } from '../../../src/io/http/httpRequest';
import { AuthError } from '../../../src/settings/auth/authError';
import type { TokenResponse } from '../../../src/settings/auth/readTokenResponse';
import { refusalOf, type TokenRequest, tokenRequest } from '../../../src/settings/auth/tokenRequest';
import { marbles } from '../../support/marbles';
import { tokenAnswer } from './support';

const request: TokenRequest = { path: '/oauth/token', body: { a: '1 2' } };
const answer = (json: object): TokenResponse => ({
  status: 200,
  statusText: 'OK',
  json: json as TokenResponse['json'],
});
const out = { A: answer({ a: 1 }), N: answer({}) };
const unreachable = (why: string) => new AuthError(`auth.example cannot be reached: ${why}`);
const whole = tokenAnswer(200, { a: 1 });

describe('tokenRequest', () => {
  it.each([
    ['JSON, in pieces       ', '-a|', { ...whole, body$: of('{"a"', ':1}') }, '-A|', undefined],
    ['no JSON               ', '-a|', { ...whole, body$: of('<html>') }, '-N|', undefined],
    ['another value of JSON ', '-a|', { ...whole, body$: of('[1]') }, '-N|', undefined],
    ['no connection         ', '-#', whole, '-#', unreachable('down')],
    [
      'a body that breaks off',
      '-a|',
      {
        ...whole,
        body$: concat(
          of('{'),
          throwError(() => new Error('cut')),
        ),
      },
      '-#',
      unreachable('cut'),
    ],
    ['a server that is mute ', '---', whole, '60s #', unreachable('Timeout has occurred')],
    ['a body without an end ', '-a-', { ...whole, body$: NEVER }, '60s #', unreachable('Timeout has occurred')],
  ])('emits the response: %s', (_, source, response, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      const post = () => cold(source, { a: response }, new Error('down'));
      const answer$ = tokenRequest({ post, issuer: 'https://auth.example', clientId: 'app' })(request);
      expectObservable(answer$).toBe(expected, out, error);
    })(),
  );

  it.each([
    ['JSON  ', {}, 'application/json', '{"a":"1 2"}'],
    ['a form', { form: true }, 'application/x-www-form-urlencoded', 'a=1+2'],
  ] as const)('sends %s', (_, own, type, body) => {
    const sent: HttpRequest[] = [];
    const post = (one: HttpRequest) => {
      sent.push(one);
      return NEVER;
    };
    tokenRequest({ post, issuer: 'https://auth.example', clientId: 'app' })({ ...request, ...own })
      .subscribe()
      .unsubscribe();
    expect(sent).toEqual([
      {
        url: 'https://auth.example/oauth/token',
        headers: { 'content-type': type, accept: 'application/json' },
        body,
      },
    ]);
  });
});

describe('refusalOf', () => {
  it.each([
    ['{}', '400 Bad Request'],
    ['{"error":"invalid","error_description":"it is used"}', '400 Bad Request, invalid, it is used'],
    ['{"error":{"code":"used"}}', '400 Bad Request, used'],
    ['{"error":{"message":"it is used"}}', '400 Bad Request, it is used'],
    ['{"error":7,"access_token":"AT"}', '400 Bad Request'],
  ])('of %s is %s', (json, text) => {
    expect(refusalOf({ status: 400, statusText: 'Bad Request', json: JSON.parse(json) })).toBe(text);
  });

  it('quotes a part of a long text only', () => {
    const json = { error: 'x'.repeat(1_000) };
    expect(refusalOf({ status: 400, statusText: '', json }).length).toBeLessThan(220);
  });
});
