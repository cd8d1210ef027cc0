import { firstValueFrom, of } from 'rxjs';
import { ListSessionsParams } from '../../../src/protocol/acp/params';
import { checkParams } from '../../../src/protocol/jsonrpc/checkParams';
import type { CodexHost, StoredConversation } from '../../../src/protocol/methods/host';
import { listSessions } from '../../../src/server/acp/listSessions';
import { uuid } from '../../support/conversations';

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
