import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatMap, firstValueFrom, map, of } from 'rxjs';
import { type Accounts, accounts, isDue, type Login } from '../../../src/settings/auth/accounts';
import { readAuthFile } from '../../../src/settings/auth/authFile';
import { marbles } from '../../support/marbles';
import { authJson, jwt, loginDeps, memoryFiles, NEW, NOW, PATH, tokenAnswer, tokenServer } from './support';

const opened = (auth?: string, ...answers: Parameters<typeof tokenServer>) => {
  const files = memoryFiles(auth);
  const server = tokenServer(...answers);
  const deps = { ...loginDeps(files, server.post), env: {}, preferred: () => 'chatgpt' as const };
  return { files, server, account: accounts(deps) };
};
const tokenOf = ({ fresh$ }: Accounts) =>
  fresh$.pipe(map((login) => (login.kind === 'chatgpt' ? login.tokens.accessToken : login.kind)));
const expiring = (leftMs: number): string => jwt({ exp: (NOW + leftMs) / 1000 });

describe('accounts', () => {
  it(
    'uses tokens that are good as they are',
    marbles(({ expectObservable }) => {
      expectObservable(tokenOf(opened(authJson()).account)).toBe('(a|)', { a: 'AT' });
    }),
  );

  it(
    'refreshes tokens before they expire',
    marbles(({ cold, expectObservable }) => {
      const { account } = opened(authJson(expiring(60_000)), cold('--r', { r: tokenAnswer(200, NEW) }));
      expectObservable(tokenOf(account)).toBe('                    --(n|)', { n: 'AT2' });
    }),
  );

  it(
    'uses tokens that still hold if they cannot be refreshed',
    marbles(({ expectObservable }) => {
      const token = expiring(60_000);
      expectObservable(tokenOf(opened(authJson(token), tokenAnswer(500)).account)).toBe('(a|)', { a: token });
    }),
  );

  it('errors if they have expired and cannot be refreshed', () => {
    let message = '';
    tokenOf(opened(authJson(expiring(-1_000)), tokenAnswer(400, { error: 'invalid_grant' })).account).subscribe({
      error: (error: Error) => {
        message = error.message;
      },
    });
    expect(message).toBe('Failed to refresh the login: 400 Bad Request, invalid_grant. Log in again: codex-rx login.');
  });

  it(
    'has another credential after a refresh, and none of a key',
    marbles(({ expectObservable }) => {
      const values = { t: true, f: false };
      expectObservable(opened(authJson(), tokenAnswer(200, NEW)).account.refresh$).toBe('(t|)', values);
      expectObservable(opened(authJson(), tokenAnswer(500)).account.refresh$).toBe('(f|)', values);
      expectObservable(opened('{"OPENAI_API_KEY":"sk"}').account.refresh$).toBe('(f|)', values);
    }),
  );

  it('replaces a login by a key, and forgets it', () => {
    const { account, files } = opened(authJson());
    account.saveKey('sk-1');
    expect(account.current()).toEqual({ kind: 'apikey', key: 'sk-1' });
    expect([account.logout(), account.logout()]).toEqual([true, false]);
    expect(files.texts.has(PATH)).toBe(false);
  });
});

const tokens = readAuthFile(authJson())?.tokens;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('isDue', () => {
  it.each<[string, number | undefined, number | undefined, boolean]>([
    ['of today', 0, undefined, false],
    ['of 28 days', 28 * DAY_MS, undefined, false],
    ['of 29 days', 29 * DAY_MS, undefined, true],
    ['of a clock that is ahead', -DAY_MS, undefined, false],
    ['that expire in an hour', 0, 60 * MINUTE_MS, false],
    ['that expire in a minute', 0, MINUTE_MS, true],
    ['that have expired', undefined, -MINUTE_MS, true],
    ['of an unknown age', undefined, undefined, false],
  ])('tokens %s', (_, ageMs, leftMs, expected) => {
    const file = { tokens, ...(ageMs !== undefined && { lastRefreshMs: NOW - ageMs }) };
    expect(isDue(file, leftMs === undefined ? {} : { expiresMs: NOW + leftMs }, NOW)).toBe(expected);
  });

  it('is false without tokens', () => {
    expect(isDue({ lastRefreshMs: 0 }, { expiresMs: 0 }, NOW)).toBe(false);
  });
});

describe('cases', () => {
  /** Which login counts, and when it is refreshed: the recorded cases of Codex 0.28.0. */
  type Case = {
    id: string;
    note: string;
    auth_json: object | string | null;
    last_refresh_age_days: number | null;
    config: string;
    env: Record<string, string>;
    params: { includeToken?: boolean; refreshToken?: boolean };
    result: object;
    token_endpoint_requests: object[];
    token_endpoint_answer?: { status: number; body: object };
  };

  const cases: Case[] = readFileSync(join(__dirname, '../../fixtures/cases/auth_status_dev.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

  const DAY_MS = 86_400_000;

  const fileOf = ({ auth_json, last_refresh_age_days: days }: Case): string | undefined => {
    if (auth_json === null) return undefined;
    if (typeof auth_json === 'string') return auth_json;
    const last_refresh = days === null ? {} : { last_refresh: new Date(NOW - days * DAY_MS).toISOString() };
    return JSON.stringify({ ...auth_json, ...last_refresh });
  };

  const statusOf = (login: Login, { params, config }: Case): object => ({
    ...(login.kind !== 'none' && { authMethod: login.kind }),
    preferredAuthMethod: preferredOf(config),
    ...(login.kind !== 'none' &&
      params.includeToken && { authToken: login.kind === 'apikey' ? login.key : login.tokens.accessToken }),
  });

  const preferredOf = (config: string) => (config.includes('apikey') ? 'apikey' : 'chatgpt');

  describe('the recorded cases of getAuthStatus', () => {
    it.each(cases.map((one) => [one.id, one.note, one] as const))('%s: %s', async (_, __, one) => {
      const answer = one.token_endpoint_answer;
      const server = tokenServer(...(answer === undefined ? [] : [tokenAnswer(answer.status, answer.body)]));
      const { fresh$, refresh$ } = accounts({
        ...loginDeps(memoryFiles(fileOf(one)), server.post),
        clientId: 'app_EMoamEEZ73f0CkXaXp7hrann',
        env: one.env,
        preferred: () => preferredOf(one.config),
      });
      const before$ = one.params.refreshToken ? refresh$ : of(false);
      const status$ = before$.pipe(
        concatMap(() => fresh$),
        map((login) => statusOf(login, one)),
      );
      expect(await firstValueFrom(status$)).toEqual(one.result);
      expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual(one.token_endpoint_requests);
    });

    it('are all there', () => {
      expect(cases).toHaveLength(27);
    });
  });
});
