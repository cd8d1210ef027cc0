import { firstValueFrom, of, toArray } from 'rxjs';
import { ListSessionsParams } from '../../../src/protocol/acp/params';
import { checkParams } from '../../../src/protocol/jsonrpc/checkParams';
import type { CodexHost, SessionRequest, StoredConversation } from '../../../src/protocol/methods/host';
import { jobOf, listSessions } from '../../../src/server/acp/jobs';
import { asked } from '../../protocol/methods/host';
import { machineWith, promptly } from '../../support/acp';
import { uuid } from '../../support/conversations';

const resultOf = async (host: Partial<CodexHost>, method: string, params: object = {}): Promise<unknown> => {
  const events = await firstValueFrom(
    jobOf({ ...machineWith({}, host), ...promptly }, { request: asked(method, params) }).pipe(toArray()),
  );
  const [last] = events.slice(-1);
  return last?.kind === 'result' ? last.result : undefined;
};

describe('naming a session that is not open', () => {
  const named: unknown[] = [];
  const host = (has: boolean): Partial<CodexHost> => ({
    sessions: {
      ...machineWith().sessions,
      has: () => of(has),
      rename: (...given) => {
        named.push(given);
        return of(undefined);
      },
    },
  });
  const name = (sessionId: string, has: boolean) => resultOf(host(has), 'session/set_title', { sessionId, title: 'x' });

  it('needs a stored thread of this whole id', async () => {
    expect(await name(uuid(1), false)).toBeNull();
    expect(await name(uuid(1).slice(0, 8), true)).toBeNull();
    expect(named).toEqual([]);
    expect(await name(uuid(1), true)).toEqual({ title: 'x' });
    expect(named).toEqual([[uuid(1), 'x']]);
  });
});

describe('putting a session away', () => {
  const archived: unknown[] = [];
  const sessions: CodexHost['sessions'] = {
    ...machineWith().sessions,
    setArchived: (...given) => {
      archived.push(given);
      return of(given[0] === uuid(1) ? {} : null);
    },
  };

  it.each([
    ['session/archive', true],
    ['session/unarchive', false],
  ])('by %s needs a stored thread of this whole id', async (method, is) => {
    archived.length = 0;
    expect(await resultOf({ sessions }, method, { sessionId: uuid(1) })).toEqual({});
    expect(await resultOf({ sessions }, method, { sessionId: uuid(2) })).toBeNull();
    expect(await resultOf({ sessions }, method, { sessionId: uuid(1).slice(0, 8) })).toBeNull();
    expect(archived).toEqual([
      [uuid(1), is],
      [uuid(2), is],
    ]);
  });

  it('is no part of its status: it is saved, or there is none', async () => {
    const storedIs = (has: boolean) => ({ sessions: { ...sessions, has: () => of(has) } });
    expect(await resultOf(storedIs(true), 'session/status', { sessionId: uuid(1) })).toEqual({ status: 'saved' });
    expect(await resultOf(storedIs(false), 'session/status', { sessionId: uuid(1) })).toBeNull();
  });
});

describe('finding a session', () => {
  const find = async (mcpServers: object[], more: object = {}): Promise<SessionRequest | undefined> => {
    let request: SessionRequest | undefined;
    const sessions: CodexHost['sessions'] = {
      ...machineWith().sessions,
      find: (asked) => {
        request = asked;
        return of(null);
      },
      remove: () => of(null),
    };
    await resultOf({ sessions }, 'session/new', { cwd: '/w', additionalDirectories: ['/x'], mcpServers, ...more });
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

  it('hands on the instructions of the client as one text', async () => {
    const content = ['Write tests.', 'Be brief.'].map((text) => ({ type: 'text', text }));
    const instructed = (systemPrompt: object) => find([], { systemPrompt });
    expect(await instructed({ mode: 'append', content })).toMatchObject({ instructions: 'Write tests.\n\nBe brief.' });
    await expect(instructed({ mode: 'override', content })).rejects.toThrow(/mode/);
    await expect(instructed({ mode: 'append', content: [] })).rejects.toThrow(/content/);
  });

  it('looks for whole ids only', async () => {
    expect(await resultOf({}, 'session/load', { sessionId: '00', cwd: '/w' })).toBeNull();
    expect(await resultOf({}, 'session/fork', { sessionId: '00', cwd: '/w' })).toBeNull();
    expect(await resultOf({}, 'session/delete', { sessionId: '00' })).toEqual({});
  });
});

const pageOf = async (listStored: CodexHost['listStored'], params: object = {}): Promise<unknown> =>
  firstValueFrom(listSessions({ listStored }, checkParams(ListSessionsParams(), { ...params })));

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

describe('listing sessions', () => {
  const all = Array.from({ length: 120 }, (_, n) => storedAs(n, n % 2 === 0 ? '/even' : '/odd'));

  it('gives each of them once, over pages, with a title and a time', async () => {
    const listStored = listing(all);
    const first = (await pageOf(listStored)) as { sessions: unknown[]; nextCursor: string };
    expect(first.sessions[0]).toEqual({
      sessionId: uuid(0),
      cwd: '/even',
      title: 'hello',
      updatedAt: '1970-01-01T00:00:00.000Z',
    });
    const rest = (await pageOf(listStored, { cursor: first.nextCursor })) as typeof first;
    expect(first.sessions).toHaveLength(50);
    expect(rest.sessions[0]).toMatchObject({ sessionId: uuid(50) });
  });

  it('goes on until a page is full of what was asked for', async () => {
    const page = (await pageOf(listing(all), { cwd: '/odd/' })) as {
      sessions: { cwd: string }[];
    };
    expect(page.sessions.length).toBeGreaterThanOrEqual(50);
    expect(page.sessions.every(({ cwd }) => cwd === '/odd')).toBe(true);
  });

  describe('with archived ones', () => {
    const old = Array.from({ length: 70 }, (_, n) => storedAs(200 + n, '/old'));
    const listStored: CodexHost['listStored'] = ({ archived, ...page }) => listing(archived ? old : all)(page);
    type Page = { sessions: { sessionId: string; archived: boolean }[]; nextCursor?: string };
    const archivedPage = async (params: object) => (await pageOf(listStored, params)) as Page;
    const everyPage = async (archived: string, cursor?: string): Promise<Page['sessions']> => {
      const { sessions, nextCursor } = await archivedPage({ archived, ...(cursor && { cursor }) });
      return nextCursor === undefined ? sessions : [...sessions, ...(await everyPage(archived, nextCursor))];
    };

    it('shows them after the others, or alone, and each of them once', async () => {
      const included = await everyPage('include');
      expect(included.map(({ sessionId }) => sessionId)).toEqual([...all, ...old].map(({ id }) => id));
      expect(included.filter(({ archived }) => archived)).toHaveLength(70);
      expect((await everyPage('only')).map(({ sessionId }) => sessionId)).toEqual(old.map(({ id }) => id));
      expect(await everyPage('exclude')).toHaveLength(120);
    });

    it('refuses another filter', () => expect(archivedPage({ archived: 'maybe' })).rejects.toThrow(/archived/));
  });

  it('leaves out threads that never had a prompt', async () => {
    const listStored = listing([storedAs(1, '/w', ''), storedAs(2, '/w')]);
    expect(await pageOf(listStored)).toMatchObject({ sessions: [{ sessionId: uuid(2) }] });
  });

  it.each(['x', Buffer.from('/etc/passwd').toString('base64url')])('refuses the cursor %s', (cursor) =>
    expect(pageOf(listing(all), { cursor })).rejects.toThrow(/cursor/),
  );
});
