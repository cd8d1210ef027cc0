import { map, NEVER, Observable, of, Subject, type Subscription } from 'rxjs';
import type { PendingCallback } from '../../../src/settings/auth/browserLogin';
import {
  type McpLoginDeps,
  type McpLoginEvent,
  mcpLogin,
  receiveCode,
  registerClient,
} from '../../../src/settings/mcpAuth/mcpLogin';
import { marbles } from '../../support/marbles';
import { answer, DOCUMENTS, fileOf, METADATA, outcomeOf, SERVER, serverOf, unreachable } from './support';

const WHOLE = {
  ...DOCUMENTS,
  [SERVER.url]: () => answer(401, '', { 'www-authenticate': 'Bearer scope="c d"' }),
  'https://auth/register': () => answer(201, { client_id: 'me' }),
  'https://auth/token': () => answer(200, { access_token: 'AT', refresh_token: 'RT', expires_in: 60 }),
};

const AT = 'https://auth/.well-known/oauth-authorization-server';

const logins: Subscription[] = [];

afterEach(() => {
  for (const login of logins.splice(0)) login.unsubscribe();
});

/** A login, the visits of its browser, and what it emits. */
const begun = (
  documents: Parameters<typeof serverOf>[0] = WHOLE,
  own: Partial<McpLoginDeps> = {},
  scopes: string[] = [],
) => {
  const callback$ = new Subject<PendingCallback>();
  const send = serverOf(documents);
  const file = fileOf();
  const seen: (McpLoginEvent | string)[] = [];
  const deps = {
    send,
    file,
    listen$: of({ port: 7, callback$ }),
    now: () => 1_000,
    random: (n: number) => `r${n}`,
    sha256: (t: string) => `h(${t})`,
    ...own,
  };
  const login = mcpLogin(deps)({ ...SERVER, scopes }).subscribe({
    next: (event) => seen.push(event),
    error: ({ message }: Error) => seen.push(message),
    complete: () => seen.push('over'),
  });
  logins.push(login);
  const answers: { status: number; text: string }[] = [];
  const callback = (url: string) =>
    callback$.next({
      request: { method: 'GET', url, headers: { host: '127.0.0.1:7' } },
      respond: (one) => void answers.push(one),
    });
  return { seen, send, file, callback, answers, login };
};
const queryOf = (event: McpLoginEvent | string | undefined) =>
  typeof event === 'object' && event.kind === 'waiting' ? Object.fromEntries(new URL(event.url).searchParams) : {};

describe('mcpLogin', () => {
  it('names the page of the login, and keeps the tokens that its code gives', () => {
    const { seen, send, file, callback, answers } = begun();
    expect(queryOf(seen[0])).toEqual({
      response_type: 'code',
      client_id: 'me',
      redirect_uri: 'http://127.0.0.1:7/callback',
      state: 'r32',
      code_challenge: 'h(r64)',
      code_challenge_method: 'S256',
      resource: SERVER.url,
      scope: 'c d',
    });
    callback('/callback?code=C&state=r32');
    expect(seen.slice(1)).toEqual([{ kind: 'loggedIn' }, 'over']);
    expect(answers).toEqual([{ status: 200, text: 'You are logged in. You can close this page.' }]);
    expect(Object.fromEntries(new URLSearchParams(send.sent.at(-1)?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'C',
      redirect_uri: 'http://127.0.0.1:7/callback',
      client_id: 'me',
      code_verifier: 'r64',
      resource: SERVER.url,
    });
    expect(file.find(SERVER)).toMatchObject({
      accessToken: 'AT',
      refreshToken: 'RT',
      expiresMs: 61_000,
      clientId: 'me',
      issuer: 'https://auth',
    });
  });

  it.each<[string, Parameters<typeof serverOf>[0], string[], string]>([
    ['what the person asks for', WHOLE, ['z'], 'z'],
    ['what the server supports', { ...WHOLE, [SERVER.url]: () => answer(401) }, [], 'a b'],
  ])('asks for %s', (_, documents, scopes, scope) => {
    expect(queryOf(begun(documents, {}, scopes).seen[0]).scope).toBe(scope);
  });

  it('errors if the code gives no token, which the browser shows too', () => {
    const { seen, callback, answers, file } = begun({
      ...WHOLE,
      'https://auth/token': () => answer(400, { error: 'invalid_grant' }),
    });
    callback('/callback?code=C&state=r32');
    expect(seen.slice(1)).toEqual(['no token was given: 400, invalid_grant']);
    expect(answers).toEqual([{ status: 500, text: 'no token was given: 400, invalid_grant' }]);
    expect(file.find(SERVER)).toBeUndefined();
  });

  it('takes no code without an issuer of a server that names itself', () => {
    const named = { ...METADATA, authorization_response_iss_parameter_supported: true };
    const { seen, callback, answers } = begun({
      ...WHOLE,
      'https://auth/.well-known/oauth-authorization-server': named,
    });
    callback('/callback?code=C&state=r32');
    callback('/callback?code=C&state=r32&iss=https://auth');
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    expect(seen.slice(1)).toEqual([{ kind: 'loggedIn' }, 'over']);
  });

  it('errors if the person declines', () => {
    const { seen, callback } = begun();
    callback('/callback?error=access_denied&state=r32');
    expect(seen.slice(1)).toEqual(['the login was declined (access_denied)']);
  });

  it.each<[string, Partial<McpLoginDeps>, string]>([
    ['the server cannot be reached', { send: unreachable }, 'x cannot be reached: connect ECONNREFUSED'],
    [
      'the server does not say that codes are protected',
      { send: serverOf({ ...WHOLE, [AT]: { ...METADATA, code_challenge_methods_supported: undefined } }) },
      'auth does not say that its logins are protected by PKCE (S256 in code_challenge_methods_supported), so nobody logs in there; name a token by bearer_token_env_var instead',
    ],
    [
      'there is nothing to log in at',
      { send: serverOf({}) },
      'x names no server to log in at; set bearer_token_env_var for it instead',
    ],
  ])('errors if %s', (_, own, text) => {
    expect(begun(WHOLE, own).seen).toEqual([text]);
  });

  it('stops listening when it is over, declined or unsubscribed', () => {
    for (const end of ['/callback?code=C&state=r32', '/callback?error=e&state=r32', undefined]) {
      const closed = jest.fn();
      const callback$ = new Subject<PendingCallback>();
      const listen$ = new Observable<{ port: number; callback$: Subject<PendingCallback> }>((subscriber) => {
        subscriber.next({ port: 7, callback$ });
        return closed;
      });
      const { login } = begun(WHOLE, { listen$ });
      expect(closed).not.toHaveBeenCalled();
      if (end === undefined) login.unsubscribe();
      else
        callback$.next({ request: { method: 'GET', url: end, headers: { host: '127.0.0.1:7' } }, respond: () => {} });
      expect(closed).toHaveBeenCalledTimes(1);
    }
  });

  it('errors if the server accepts the connection and sends nothing', () => {
    jest.useFakeTimers();
    const { seen } = begun(WHOLE, { send: () => NEVER });
    jest.advanceTimersByTime(30_100); // the limit, and the turns of the event loop after it
    jest.useRealTimers();
    expect(seen).toEqual(['x cannot be reached: no response within 30 s']);
  });

  it('waits while nothing comes', () => {
    expect(begun(WHOLE, { listen$: NEVER }).seen).toEqual([]);
  });
});

const server = {
  issuer: 'https://auth',
  authorizeUrl: '',
  tokenUrl: '',
  scopes: [],
  resource: '',
  registerUrl: 'https://auth/r',
};
const BACK = 'http://127.0.0.1:7/callback';

describe('registerClient', () => {
  it('emits the id that the server gives', () => {
    const send = serverOf({ 'https://auth/r': () => answer(201, { client_id: 'c' }) });
    expect(outcomeOf(registerClient(send, server, BACK))).toBe('c');
    expect(JSON.parse(send.sent[0]?.body ?? '')).toEqual({
      client_name: 'codex-rx',
      redirect_uris: [BACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  });

  it.each([
    [
      'a refusal',
      answer(400, { error: 'invalid_redirect_uri' }),
      'auth does not register this program: 400, invalid_redirect_uri',
    ],
    ['a refusal with an id', answer(400, { client_id: 'c' }), 'auth does not register this program: 400'],
    ['a response without an id', answer(201, {}), 'auth does not register this program: 201'],
  ])('errors with %s', (_, response, text) => {
    expect(outcomeOf(registerClient(serverOf({ 'https://auth/r': () => response }), server, BACK))).toBe(text);
  });

  it('names what to do if clients cannot register', () => {
    const { registerUrl: _, ...closed } = server;
    expect(outcomeOf(registerClient(serverOf({}), closed, BACK))).toBe(
      'auth registers no clients; name a token by bearer_token_env_var instead',
    );
  });
});

const expected = { state: 'S', issuer: 'https://auth', path: '/callback', limitMs: 300_000 };
const PATHS: Record<string, string> = {
  c: '/callback?code=C&state=S',
  i: '/callback?code=C&state=S&iss=https://auth/',
  j: '/callback?code=C&state=S&iss=https://bank',
  t: '/callback?code=C&state=T',
  x: '/favicon.ico',
  n: '/cancel',
  d: '/callback?error=access_denied&state=S',
};

/** The codes that come of these visits, and the status each was answered with; a code is answered later. */
const received = (visits: string, out: string, own: { namesItself?: true } = {}): number[] => {
  const answered: number[] = [];
  marbles(({ hot, expectObservable }) => {
    const callback$ = hot(visits, PATHS).pipe(
      map((url) => ({
        request: { method: 'GET', url, headers: { host: '127.0.0.1:7' } },
        respond: ({ status }: { status: number }) => void answered.push(status),
      })),
    );
    const code$ = receiveCode({ port: 7, callback$ }, { ...expected, ...own }).pipe(map(({ code }) => code));
    expectObservable(code$).toBe(out, { C: 'C' }, expect.objectContaining({ name: 'AuthError' }));
  })();
  return answered;
};

describe('receiveCode', () => {
  it.each([
    ['the code of the callback', '            --c--', '--(C|)', []],
    ['one whose issuer is named', '           --i--', '--(C|)', []],
    ['it behind what is no callback', '       -xt-c', '----(C|)', [404, 400]],
    ['it behind a cancel of another program', '--n-c', '----(C|)', [404]],
    ['no code of another issuer', '           --j-c', '----(C|)', [400]],
    ['an error where the person declines', '  --d', '--#', [400]],
    ['an error after five minutes', '         -x-', '5m #', [404]],
  ])('emits %s', (_, visits, out, answered) => {
    expect(received(visits, out)).toEqual(answered);
  });

  it('emits no code without an issuer if the server names itself', () => {
    expect(received('--c-i', '----(C|)', { namesItself: true })).toEqual([400]);
  });
});
