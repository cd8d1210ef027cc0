/** Logins over real HTTP: a server of tokens on this machine with its faults, and a browser that follows the address. */

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { firstValueFrom, lastValueFrom, map, type Observable, tap } from 'rxjs';
import { browserLogin, type LoginEvent } from '../../../src/settings/auth/browserLogin';
import { accountsHere, loginDeps } from '../../../src/settings/logins/accountsHere';
import { listenCallback } from '../../../src/settings/logins/listenCallback';
import { modeOf, openFolder, removeFolders } from '../../support/files';
import { freePort } from '../../support/freePort';
import { ID, jwt, NEW } from '../auth/support';

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

const servers: Server[] = [];

/** A server of tokens on this machine. */
const startIssuer = async (answer: Answer): Promise<string> => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => answer(request, Buffer.concat(parts).toString(), response));
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  removeFolders();
});

const json =
  (status: number, body: object): Answer =>
  (_, __, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const here = (codexHome: string, issuer: string) => ({ processInfo: { codexHome, env: {} }, issuer });

const login = (home: string, issuer: string, ports = [0]): Observable<LoginEvent> =>
  browserLogin({
    ...loginDeps(here(home, issuer)),
    listen$: listenCallback(ports),
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    sha256: (text) => createHash('sha256').update(text).digest('base64url'),
  });

/** What a browser gets; like one, it resolves no name but the own. */
const callback = (port: number, path: string, headers: Record<string, string> = {}): Promise<string> =>
  new Promise((done, failed) => {
    const sent = request(
      { host: '127.0.0.1', port, path, headers: { host: `localhost:${port}`, ...headers } },
      (answer) => {
        answer.setEncoding('utf8');
        let text = '';
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('end', () => done(`${answer.statusCode} ${text.trim()}`));
      },
    );
    sent.on('error', failed);
    sent.end();
  });

/** A person who logs in: goes where the event says, and comes back with a code. */
const person = (back: (port: number, state: string) => void) =>
  tap((event: LoginEvent) => {
    if (event.kind !== 'waiting') return;
    const query = new URL(event.url).searchParams;
    back(Number(new URL(query.get('redirect_uri') ?? '').port), query.get('state') ?? '');
  });
const codeOf = (state: string): string => `/auth/callback?code=c&state=${state}`;

describe('a login in a browser', () => {
  it('keeps the tokens privately, with the proof that it asked for them', async () => {
    const home = openFolder();
    const bodies: string[] = [];
    const issuer = await startIssuer((request, body, response) => {
      bodies.push(body);
      json(200, NEW)(request, body, response);
    });
    let challenge: string | null = '';
    let answer: Promise<string> = Promise.resolve('');
    const done = await lastValueFrom(
      login(home, issuer).pipe(
        tap((event) => {
          if (event.kind === 'waiting') challenge = new URL(event.url).searchParams.get('code_challenge');
        }),
        person((port, state) => {
          answer = callback(port, codeOf(state));
        }),
      ),
    );
    expect(done).toMatchObject({ kind: 'loggedIn', claims: { email: 'a@b.c' } });
    expect(await answer).toBe('200 You are logged in. You can close this page.');
    const verifier = new URLSearchParams(bodies[0]).get('code_verifier') ?? '';
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
    expect(modeOf(join(home, 'auth.json'))).toBe(0o600);
    expect(accountsHere(here(home, issuer)).current()).toMatchObject({ kind: 'chatgpt', tokens: { idToken: ID } });
  });

  it('is untouched by a wrong state, by other names and by web pages', async () => {
    const issuer = await startIssuer(json(200, NEW));
    const answers: string[] = [];
    const done = lastValueFrom(
      login(openFolder(), issuer).pipe(
        person(async (port, state) => {
          answers.push(await callback(port, codeOf('wrong')));
          answers.push(await callback(port, codeOf(state), { host: 'evil.example' }));
          answers.push(await callback(port, '/cancel', { origin: 'http://evil.example' }));
          answers.push(await callback(port, codeOf(state)));
        }),
      ),
    );
    expect(await done).toMatchObject({ kind: 'loggedIn' });
    expect(answers.slice(0, 3)).toEqual(['400 State mismatch', '403 Forbidden', '403 Forbidden']);
  });

  it('takes a code once, also while a slow server has it', async () => {
    let requests = 0;
    let visits: Promise<string>[] = [];
    const issuer = await startIssuer(async (request, body, response) => {
      requests += 1;
      await Promise.race(visits);
      json(200, NEW)(request, body, response);
    });
    const event$ = login(openFolder(), issuer).pipe(
      person((port, state) => {
        visits = [1, 2].map(() => callback(port, codeOf(state)));
      }),
    );
    expect(await lastValueFrom(event$)).toMatchObject({ kind: 'loggedIn' });
    const answers = (await Promise.all(visits)).sort();
    expect([...answers, requests]).toEqual([expect.stringMatching(/^200 /), '400 This login was used already', 1]);
  });

  it.each<[string, Answer, RegExp]>([
    ['a server that fails', json(500, {}), /Token exchange failed: 500/],
    [
      'an answer that is cut off',
      (_, __, response) => void response.end('{"access_token":"secret'),
      /no usable tokens/,
    ],
    ['a connection that breaks', (request) => void request.socket.destroy(), /cannot be reached/],
  ])('ends with the reason at %s, and keeps nothing', async (_, answer, reason) => {
    const home = openFolder();
    const issuer = await startIssuer(answer);
    let page: Promise<string> = Promise.resolve('');
    const event$ = login(home, issuer).pipe(
      person((port, state) => {
        page = callback(port, codeOf(state));
      }),
    );
    await expect(lastValueFrom(event$)).rejects.toThrow(reason);
    expect(await page).toMatch(/^500 /);
    expect(await page).not.toContain('secret');
    expect(accountsHere(here(home, issuer)).current()).toEqual({ kind: 'none' });
  });

  it('ends an older login on its port, or takes the next port', async () => {
    const issuer = await startIssuer(json(200, NEW));
    const port = await freePort();
    const older = lastValueFrom(login(openFolder(), issuer, [port])).catch(({ message }: Error) => message);
    const portOf = map(
      (event: LoginEvent) =>
        event.kind === 'waiting' && new URL(new URL(event.url).searchParams.get('redirect_uri') ?? '').port,
    );
    expect(await firstValueFrom(login(openFolder(), issuer, [port]).pipe(portOf))).toBe(String(port));
    expect(await older).toBe('the login was cancelled, for example because another login was started');

    const other = createServer((_, response) => void response.end());
    servers.push(other);
    await new Promise<void>((ready) => other.listen(port, '127.0.0.1', ready));
    const taken = await firstValueFrom(login(openFolder(), issuer, [port, 0]).pipe(portOf));
    expect(taken).not.toBe(String(port));
    await expect(firstValueFrom(login(openFolder(), issuer, [port]))).rejects.toThrow(/ports? .* in use/);
  });
});

describe('a refresh', () => {
  it('is one request for two processes whose clock shows that the token has expired', async () => {
    const home = openFolder();
    let requests = 0;
    const fresh = jwt({ exp: Date.now() / 1000 + 3_600 });
    const issuer = await startIssuer((request, body, response) => {
      requests += 1;
      setTimeout(() => json(200, { ...NEW, access_token: fresh })(request, body, response), 50);
    });
    const old = { idToken: ID, accessToken: jwt({ exp: 1 }), refreshToken: 'RT' };
    const { files, path } = loginDeps(here(home, issuer));
    files.replace(
      path,
      JSON.stringify({ tokens: { id_token: old.idToken, access_token: old.accessToken, refresh_token: 'RT' } }),
    );
    const both = await Promise.all([1, 2].map(() => firstValueFrom(accountsHere(here(home, issuer)).fresh$)));
    expect(both.map((one) => one.kind === 'chatgpt' && one.tokens.accessToken)).toEqual([fresh, fresh]);
    expect(requests).toBe(1);
  });
});
