import { firstValueFrom, of, toArray } from 'rxjs';
import type { CodexHost, SessionFacts, SessionRequest, StoredConversation } from '../../../src/protocol/methods/host';
import { type AcpInput, acpReducer } from '../../../src/server/acp/acpReducer';
import { jobOf } from '../../../src/server/acp/jobs';
import { asked } from '../../protocol/methods/host';
import { acpDeps, factsWith, machineWith } from '../../support/acp';
import { uuid } from '../../support/conversations';

const resultOf = async (host: Partial<CodexHost>, method: string, params: object = {}): Promise<unknown> => {
  const events = await firstValueFrom(jobOf(machineWith({}, host), { request: asked(method, params) }).pipe(toArray()));
  const [last] = events.slice(-1);
  return last?.kind === 'result' ? last.result : undefined;
};

const storedAs = (n: number, cwd: string, preview = 'hello\nthere'): StoredConversation => ({
  id: uuid(n),
  path: `/home/sessions/rollout-${String(1_000 - n)}.jsonl`,
  preview,
  startedMs: 0,
  writtenMs: 0,
  provider: 'p',
  cwd,
  cliVersion: '1',
  source: 'vscode',
});

/** Lists threads that are newer by their place. */
const listing =
  (all: readonly StoredConversation[]): CodexHost['listStored'] =>
  ({ after, limit }) => {
    const from = after === undefined ? 0 : all.findIndex(({ path }) => path === after) + 1;
    return of(all.slice(from, from + limit));
  };

describe('naming a session that is not open', () => {
  const named: unknown[] = [];
  const host = (facts: SessionFacts | null): Partial<CodexHost> => ({
    sessions: {
      ...machineWith().sessions,
      find: () => of(facts),
      rename: (...given) => {
        named.push(given);
        return of(undefined);
      },
    },
  });
  const name = (sessionId: string, facts: SessionFacts | null) =>
    resultOf(host(facts), 'session/set_title', { sessionId, title: 'x' });

  it('needs a stored thread of this whole id', async () => {
    expect(await name(uuid(1), null)).toBeNull();
    expect(await name(uuid(1).slice(0, 8), factsWith())).toBeNull();
    expect(named).toEqual([]);
    expect(await name(uuid(1), factsWith())).toEqual({ title: 'x' });
    expect(named).toEqual([[uuid(1), 'x']]);
  });
});

describe('listing sessions', () => {
  const all = Array.from({ length: 120 }, (_, n) => storedAs(n, n % 2 === 0 ? '/even' : '/odd'));

  it('gives each of them once, over pages, with a title and a time', async () => {
    const listStored = listing(all);
    const first = (await resultOf({ listStored }, 'session/list')) as { sessions: unknown[]; nextCursor: string };
    expect(first.sessions[0]).toEqual({
      sessionId: uuid(0),
      cwd: '/even',
      title: 'hello',
      updatedAt: '1970-01-01T00:00:00.000Z',
    });
    const rest = (await resultOf({ listStored }, 'session/list', { cursor: first.nextCursor })) as typeof first;
    expect(first.sessions).toHaveLength(50);
    expect(rest.sessions[0]).toMatchObject({ sessionId: uuid(50) });
  });

  it('goes on until a page is full of what was asked for', async () => {
    const page = (await resultOf({ listStored: listing(all) }, 'session/list', { cwd: '/odd/' })) as {
      sessions: { cwd: string }[];
    };
    expect(page.sessions.length).toBeGreaterThanOrEqual(50);
    expect(page.sessions.every(({ cwd }) => cwd === '/odd')).toBe(true);
  });

  it('leaves out threads that never had a prompt', async () => {
    const listStored = listing([storedAs(1, '/w', ''), storedAs(2, '/w')]);
    expect(await resultOf({ listStored }, 'session/list')).toMatchObject({ sessions: [{ sessionId: uuid(2) }] });
  });

  it.each(['x', Buffer.from('/etc/passwd').toString('base64url')])('refuses the cursor %s', (cursor) =>
    expect(resultOf({ listStored: listing(all) }, 'session/list', { cursor })).rejects.toThrow(/cursor/),
  );
});

describe('finding a session', () => {
  const find = async (mcpServers: object[]): Promise<SessionRequest | undefined> => {
    let request: SessionRequest | undefined;
    const sessions: CodexHost['sessions'] = {
      ...machineWith().sessions,
      find: (asked) => {
        request = asked;
        return of(null);
      },
      remove: () => of(null),
    };
    await resultOf({ sessions }, 'session/new', { cwd: '/w', additionalDirectories: ['/x'], mcpServers });
    return request;
  };

  it('gives the servers of the client the tables of config.toml', async () => {
    const env = [{ name: 'KEY', value: 'v' }];
    const headers = [{ name: 'X', value: 'y' }];
    expect(
      await find([
        { name: 'my docs', command: '/bin/docs', args: ['a'], env },
        { type: 'http', name: 'web', url: 'https://a', headers },
      ]),
    ).toEqual({
      cwd: '/w',
      folders: ['/x'],
      servers: {
        my_docs: { command: '/bin/docs', args: ['a'], env: { KEY: 'v' } },
        web: { url: 'https://a', http_headers: { X: 'y' } },
      },
    });
  });

  it.each<[string, object, RegExp]>([
    ['by SSE', { type: 'sse', url: 'https://a' }, /old is reached by SSE/],
    ['at a file', { type: 'http', url: 'file:///etc/passwd' }, /old needs an address that begins with https/],
    ['at no address', { type: 'http', url: 'docs' }, /old needs an address/],
    [
      'with a header in two lines',
      { type: 'http', url: 'https://a', headers: [{ name: 'X', value: 'a\r\nB: c' }] },
      /a header/,
    ],
    [
      'with a header of no name',
      { type: 'http', url: 'https://a', headers: [{ name: 'X Y', value: 'a' }] },
      /a header/,
    ],
  ])('refuses a server that it would reach %s', (_, server, reason) =>
    expect(find([{ name: 'old', headers: [], ...server }])).rejects.toThrow(reason),
  );

  it('keeps servers apart whose names become the same', async () => {
    const { servers } = (await find([
      { name: 'a b', command: '/1' },
      { name: 'a_b', command: '/2' },
    ])) as SessionRequest;
    expect(servers).toMatchObject({ a_b: { command: '/1' }, a_b_2: { command: '/2' } });
  });

  it('looks for whole ids only', async () => {
    expect(await resultOf({}, 'session/load', { sessionId: '00', cwd: '/w' })).toBeNull();
    expect(await resultOf({}, 'session/fork', { sessionId: '00', cwd: '/w' })).toBeNull();
    expect(await resultOf({}, 'session/delete', { sessionId: '00' })).toEqual({});
  });
});

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
