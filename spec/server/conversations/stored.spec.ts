import { of, throwError } from 'rxjs';
import type { StoredConversation } from '../../../src/protocol/methods/host';
import { HostError } from '../../../src/protocol/methods/host';
import { archiveConversation, listConversations } from '../../../src/server/codex/codexMethods';
import { asked } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const stored = (id: string, provider = 'p'): StoredConversation => ({
  id,
  path: `/h/${id}.jsonl`,
  preview: 'hi',
  startedMs: 0,
  writtenMs: 1_000,
  provider,
  cwd: '/w',
  cliVersion: '1',
  source: 'mcp',
});
const item = (conversationId: string) => ({
  conversationId,
  path: `/h/${conversationId}.jsonl`,
  preview: 'hi',
  timestamp: '1970-01-01T00:00:00.000Z',
  updatedAt: '1970-01-01T00:00:01.000Z',
  modelProvider: 'p',
  cwd: '/w',
  cliVersion: '1',
  source: 'mcp',
  gitInfo: null,
});

describe('listConversations', () => {
  const all = [stored('a'), stored('b'), stored('c', 'other'), stored('d')];
  const run = listConversations({ listStored: ({ skip, limit }) => of(all.slice(skip, skip + limit)) });
  const page = (params: object, items: string[], nextCursor: string | null) =>
    marbles(({ expectObservable }) => {
      const result = { items: items.map(item), nextCursor };
      expectObservable(run(asked('listConversations', params))).toBe('(R|)', { R: { kind: 'result', result } });
    });

  it('answers with a page, newest first', page({ pageSize: 2 }, ['a', 'b'], '2'));
  it(
    'goes on at the cursor, with those of the providers',
    page({ cursor: '1', modelProviders: ['p'] }, ['b', 'd'], null),
  );

  it('names a cursor that is none', () => {
    expect(() => run(asked('listConversations', { cursor: 'x' }))).toThrow(
      'params.cursor must be a cursor that this server gave',
    );
  });
});

describe('archiveConversation', () => {
  it(
    'answers when it is done, and with who has it where it is open',
    marbles(({ expectObservable }) => {
      const request = asked('archiveConversation', { conversationId: 'a' });
      const error = {
        name: 'RpcError',
        code: -32600,
        message: 'failed to archive conversation: The thread a is open here',
      };
      const open = () => throwError(() => new HostError('The thread a is open here'));
      expectObservable(archiveConversation({ archiveStored: () => of(1) })(request)).toBe('(R|)', {
        R: { kind: 'result', result: {} },
      });
      expectObservable(archiveConversation({ archiveStored: open })(request)).toBe('#', {}, error);
    }),
  );
});
