import { concat, NEVER, of, throwError } from 'rxjs';
import type { HttpRequest } from '../../../src/io/http/httpRequest';
import { AuthError } from '../../../src/settings/auth/authError';
import {
  isToken,
  refusalOf,
  requestJson,
  type TokenRequest,
  type TokenResponse,
  tokenRequest,
} from '../../../src/settings/auth/tokenRequest';
import { marbles } from '../../support/marbles';
import { answer, outcomeOf, serverOf, unreachable } from '../mcpAuth/support';
import { tokenAnswer } from './support';

const request: TokenRequest = { path: '/oauth/token', body: { a: '1 2' } };
const response = (json: object): TokenResponse => ({
  status: 200,
  statusText: 'OK',
  json: json as TokenResponse['json'],
});
const out = { A: response({ a: 1 }), N: response({}) };
const failure = (why: string) => new AuthError(`auth.example cannot be reached: ${why}`);
const whole = tokenAnswer(200, { a: 1 });

describe('tokenRequest', () => {
  it.each([
    ['JSON, in pieces       ', '-a|', { ...whole, body$: of('{"a"', ':1}') }, '-A|', undefined],
    ['no JSON               ', '-a|', { ...whole, body$: of('<html>') }, '-N|', undefined],
    ['another value of JSON ', '-a|', { ...whole, body$: of('[1]') }, '-N|', undefined],
    ['no connection         ', '-#', whole, '-#', failure('down')],
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
      failure('cut'),
    ],
    ['a server that is mute ', '---', whole, '60s #', failure('Timeout has occurred')],
    ['a body without an end ', '-a-', { ...whole, body$: NEVER }, '60s #', failure('Timeout has occurred')],
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
        connectMs: 60_000,
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

describe('requestJson', () => {
  it.each([
    [
      'a form',
      { form: { a: 'b c' } },
      { body: 'a=b+c', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['JSON', { json: { a: 1 } }, { body: '{"a":1}', headers: { 'content-type': 'application/json' } }],
    ['nothing', {}, { body: '', method: 'GET' }],
  ])('sends %s', (_, body, expected) => {
    const send = serverOf({ 'https://x/': { b: 2 } });
    expect(outcomeOf(requestJson(send)({ url: 'https://x/', ...body }))).toMatchObject({ status: 200, json: { b: 2 } });
    expect(send.sent[0]).toMatchObject(expected);
  });

  it.each([
    ['what is no JSON', '<html>', {}],
    ['an error in JSON', { error: 'e' }, { error: 'e' }],
  ])('reads %s', (_, body, json) => {
    const send = serverOf({ 'https://x/': () => answer(400, body) });
    expect(outcomeOf(requestJson(send)({ url: 'https://x/' }))).toMatchObject({ status: 400, json });
  });

  it('reads a megabyte at most', () => {
    const send = serverOf({ 'https://x/': () => answer(200, JSON.stringify({ a: 'x'.repeat(1_048_576) })) });
    expect(outcomeOf(requestJson(send)({ url: 'https://x/' }))).toEqual({ status: 200, statusText: '', json: {} });
  });

  it('names the host that cannot be reached', () => {
    expect(outcomeOf(requestJson(unreachable)({ url: 'https://x/y?z=1' }))).toBe(
      'x cannot be reached: connect ECONNREFUSED',
    );
  });

  it('waits half a minute at most', () =>
    marbles(({ cold, expectObservable }) => {
      const json$ = requestJson(() => cold('-'))({ url: 'https://x/' });
      expectObservable(json$, '40s !').toBe('30s #', undefined, expect.objectContaining({ name: 'AuthError' }));
    })());
});

describe('isToken', () => {
  it.each(['a', 'eyJhbGciOi.J9-_~+/=', 'with a blank'])('takes %j', (value) => {
    expect(isToken(value)).toBe(true);
  });

  it.each(['', 'a\r\nx-evil: 1', 'a\n', '\u001b]0;x\u0007', '\u007f', 'café', '\u202e', null, undefined, 7, {}])(
    'takes %j for none',
    (value) => {
      expect(isToken(value)).toBe(false);
    },
  );
});
