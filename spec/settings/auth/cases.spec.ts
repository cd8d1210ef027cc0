/** Which login counts, and when it is refreshed: the recorded cases of Codex 0.28.0. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatMap, firstValueFrom, map, of } from 'rxjs';
import type { Login } from '../../../src/settings/auth/accounts';
import { accounts } from '../../../src/settings/auth/accounts';
import { loginDeps, memoryFiles, NOW, tokenAnswer, tokenServer } from './support';

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
