import { firstValueFrom, of, throwError, toArray } from 'rxjs';
import type { CodexHost, SessionRequest } from '../../../src/protocol/methods/host';
import { type AcpInput, acpReducer } from '../../../src/server/acp/acpReducer';
import { jobOf } from '../../../src/server/acp/jobs';
import { ConfigError } from '../../../src/settings/faults/configError';
import { asked, hostWith } from '../../protocol/methods/host';
import { acpDeps, factsWith, machineWith, promptly } from '../../support/acp';

describe('a server of models that the client brings', () => {
  const gateway = { baseUrl: 'https://models.test/v1', headers: { Authorization: 'Bearer k' }, providerName: 'Herons' };
  const login = (given: object) => asked('authenticate', { methodId: 'gateway', _meta: { gateway: given } }, 'a');
  const brought = { name: 'Herons', url: 'https://models.test/v1', headers: { Authorization: 'Bearer k' } };

  it('is tried when the client logs in with it', async () => {
    const requests: SessionRequest[] = [];
    const sessions: CodexHost['sessions'] = {
      ...machineWith().sessions,
      find: (request) => {
        requests.push(request);
        return of(factsWith());
      },
    };
    const { method, params } = login(gateway);
    expect(await resultOf({ sessions }, method, params)).toEqual({});
    expect(requests).toEqual([{ cwd: '.', folders: [], servers: {}, gateway: brought }]);
  });

  it('is what sessions ask from then on, until there is another login', () => {
    const { reduce, initial } = acpReducer(acpDeps());
    const jobOfNew = (...inputs: AcpInput[]) => {
      const { state } = inputs.reduce<{ state: typeof initial }>((step, input) => reduce(step.state, input), {
        state: initial,
      });
      const [job] = reduce(state, asked('session/new', { cwd: '/w' }, 'n')).output;
      return job && 'gateway' in job ? job.gateway : undefined;
    };
    const isDone = (key: string): AcpInput => ({ kind: 'jobEnded', key, result: {} });
    expect(jobOfNew(login(gateway), isDone('0'))).toEqual(brought);
    expect(jobOfNew(login(gateway))).toBeUndefined();
    expect(
      jobOfNew(login(gateway), isDone('0'), asked('authenticate', { methodId: 'present' }), isDone('1')),
    ).toBeUndefined();
    expect(jobOfNew(login(gateway), isDone('0'), asked('logout'), isDone('1'))).toBeUndefined();
  });

  it.each([
    [{}, /baseUrl/],
    [{ baseUrl: 'file:///etc/passwd' }, /http/],
    [{ baseUrl: 'https://a', headers: { 'X Y': 'a' } }, /header/],
  ])('is refused as %j', (given, reason) =>
    expect(resultOf({}, 'authenticate', login(given).params)).rejects.toThrow(reason),
  );
});

describe('the provider of a client', () => {
  const set = (params: object = {}) =>
    asked(
      'providers/set',
      { providerId: 'openai', apiType: 'openai', baseUrl: 'https://u:p@models.test/v1', ...params },
      's',
    );
  const isDone = (key: string): AcpInput => ({ kind: 'jobEnded', key, result: {} });
  const run = (...inputs: AcpInput[]) => {
    const { reduce, initial } = acpReducer(acpDeps());
    const first = { state: initial, output: [] } as unknown as ReturnType<typeof reduce>;
    return inputs.reduce((step, input) => reduce(step.state, input), first);
  };
  const currentOf = (...inputs: AcpInput[]) => run(...inputs, asked('providers/list', {}, 'l')).output;
  const listed = (current: object | null) => [
    {
      kind: 'response',
      id: 'l',
      result: { providers: [{ providerId: 'openai', supported: ['openai'], required: false, current }] },
    },
  ];

  it('is what sessions ask from then on, until it is disabled; its list shows no secrets', () => {
    expect(currentOf()).toEqual(listed(null));
    const headers = { Authorization: 'Bearer k' };
    const shown = listed({ apiType: 'openai', baseUrl: 'https://models.test/v1' });
    expect(currentOf(set({ headers }), isDone('0'))).toEqual(shown);
    expect(run(set({ headers }), isDone('0'), asked('session/new', { cwd: '/w' }, 'n')).output).toMatchObject([
      { kind: 'job', gateway: { url: 'https://u:p@models.test/v1', headers } },
    ]);
    const disable = (providerId: string) => asked('providers/disable', { providerId }, 'd');
    expect(currentOf(set(), isDone('0'), disable('other'))).toEqual(shown);
    expect(currentOf(set(), isDone('0'), disable('openai'))).toEqual(listed(null));
  });

  it('is set only if a session could ask it', async () => {
    const strict: Partial<CodexHost> = {
      sessions: {
        ...machineWith().sessions,
        find: ({ gateway }) =>
          gateway ? throwError(() => new ConfigError('model_providers is fixed')) : of(factsWith()),
      },
    };
    await expect(resultOf(strict, 'providers/set', set().params)).rejects.toThrow(/fixed/);
    const refused = { kind: 'failed', key: '0', error: { code: -32602, message: 'fixed' } } as const;
    expect(currentOf(set(), refused)).toEqual(listed(null));
  });

  it.each([
    [{ providerId: 'main' }, /no provider main/],
    [{ apiType: 'anthropic' }, /API anthropic/],
    [{ baseUrl: 'file:///etc/passwd' }, /http/],
    [{ headers: { 'X Y': 'a' } }, /header/],
  ])('is refused with %j', (params, reason) =>
    expect(resultOf({}, 'providers/set', set(params).params)).rejects.toThrow(reason),
  );
});

describe('the status of the login', () => {
  const gateway = { name: 'Herons', url: 'https://a', headers: {} };
  const needing = (needsLogin: boolean, current: object): CodexHost =>
    machineWith(
      {},
      {
        account: { ...hostWith().account, current: () => current },
        sessions: {
          ...machineWith().sessions,
          find: (asks) => of(factsWith({ needsLogin: needsLogin && !asks.gateway })),
        },
      },
    );
  const chatgpt = { method: 'chatgpt', email: 'a@b.c', token: 't' };

  it.each([
    [true, {}, undefined, { state: 'unauthenticated' }, { type: 'unauthenticated' }],
    [false, {}, undefined, { state: 'not_required' }, { type: 'gateway', name: 'config.toml' }],
    [
      false,
      { method: 'apikey', token: 'k' },
      undefined,
      { state: 'authenticated', accounts: [{ label: 'OpenAI API key' }] },
      { type: 'api-key' },
    ],
    [
      false,
      chatgpt,
      undefined,
      { state: 'authenticated', accounts: [{ label: 'ChatGPT', email: 'a@b.c' }] },
      { type: 'chat-gpt', email: 'a@b.c' },
    ],
    [
      true,
      chatgpt,
      gateway,
      { state: 'authenticated', accounts: [{ label: 'Herons' }] },
      { type: 'gateway', name: 'Herons' },
    ],
  ])('that is needed: %s, of %j, with %j', async (needsLogin, current, given, status, old) => {
    const host = needing(needsLogin, current);
    const job = (method: string) => ({ request: asked(method), ...(given && { gateway: given }) });
    const resultIn = (method: string) => firstValueFrom(jobOf({ ...host, ...promptly }, job(method)));
    expect(await resultIn('auth/status')).toEqual({ kind: 'result', result: status });
    expect(await resultIn('authentication/status')).toEqual({ kind: 'result', result: old });
  });
});

describe('logging in', () => {
  const needing = (needsLogin: boolean): Partial<CodexHost> => ({
    sessions: { ...machineWith().sessions, find: () => of(factsWith({ needsLogin })) },
  });

  it('is done if a session could begin', async () => {
    const params = { methodId: 'present' };
    expect(await resultOf(needing(false), 'authenticate', params)).toEqual({});
    await expect(resultOf(needing(true), 'authenticate', params)).rejects.toThrow(/codex-rx login/);
  });
});

const resultOf = async (host: Partial<CodexHost>, method: string, params: object = {}): Promise<unknown> => {
  const events = await firstValueFrom(
    jobOf({ ...machineWith({}, host), ...promptly }, { request: asked(method, params) }).pipe(toArray()),
  );
  const [last] = events.slice(-1);
  return last?.kind === 'result' ? last.result : undefined;
};
