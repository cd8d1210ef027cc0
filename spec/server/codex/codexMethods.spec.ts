import { firstValueFrom, of, throwError } from 'rxjs';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import {
  HostError,
  type OneOffCommand,
  type ProcessEnd,
  type StoredConversation,
} from '../../../src/protocol/methods/host';
import {
  archiveConversation,
  codexMethods,
  execOneOffCommand,
  getConfigToml,
  getUserSavedConfig,
  listConversations,
} from '../../../src/server/codex/codexMethods';
import { gitDiffToRemote } from '../../../src/server/codex/gitDiffToRemote';
import { ConfigError } from '../../../src/settings/faults/configError';
import { asked, hostWith, log } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const requests = {
  a: asked('execOneOffCommand', { command: ['sleep'] }, 1),
  u: asked('userInfo', {}, 'u'),
};

const responses = {
  U: { kind: 'response', id: 'u', result: { allegedUserEmail: null } },
  A: { kind: 'response', id: 1, result: { exitCode: 0, stdout: '', stderr: '' } },
  E: {
    kind: 'response',
    id: 1,
    error: { code: -32603, message: 'The server ended before this request was done.' },
  },
};

const own = { newId: () => 'id', extended: true };

const end = { exitCode: 0, stdout: '', stderr: '', isCut: false };

const ended = (stdout: string, exitCode = 0, stderr = ''): ProcessEnd => ({ exitCode, stdout, stderr, isCut: false });

const failure = (reason: string) => ({
  name: 'RpcError',
  code: -32600,
  message: `failed to compute git diff to remote for cwd: "/w": ${reason}`,
});

const run = (end: ProcessEnd) =>
  gitDiffToRemote(hostWith({ git: () => of(end) }))(asked('gitDiffToRemote', { cwd: '/w' }));

const stored = (id: string, provider = 'p'): StoredConversation => ({
  id,
  path: `/h/rollout-${id}.jsonl`,
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
  path: `/h/rollout-${conversationId}.jsonl`,
  preview: 'hi',
  timestamp: '1970-01-01T00:00:00.000Z',
  updatedAt: '1970-01-01T00:00:01.000Z',
  modelProvider: 'p',
  cwd: '/w',
  cliVersion: '1',
  source: 'mcp',
  gitInfo: null,
});

const saved: JsonObject = {
  model: 'm',
  approval_policy: 'on-failure',
  sandbox_mode: 'workspace-write',
  sandbox_workspace_write: { writable_roots: ['/w'], network_access: true },
  model_reasoning_effort: 'high',
  profile: 'work',
  tools: { web_search: true },
  model_providers: { p: { http_headers: { authorization: 'secret' } } },
  profiles: { work: { model: 'pm', model_provider: 'p' }, bare: {} },
};

const none = { model: null, approvalPolicy: null, modelReasoningEffort: null };

describe('codexMethods', () => {
  it(
    'answers each when it is done, so that none waits for another',
    marbles(({ hot, cold, expectObservable }) => {
      const host = hostWith({ runOneOff: () => cold('----(e|)', { e: end }) });
      const request$ = hot(' -au----|', requests);
      const expected = '     --U--A-|';
      const out$ = request$.pipe(codexMethods({ host: () => host, log, ...own, cancelled$: hot('-'), end$: hot('-') }));
      expectObservable(out$).toBe(expected, responses);
    }),
  );

  it(
    'fails the request if the host cannot be made, and makes it for the next',
    marbles(({ hot, cold, expectObservable }) => {
      const made = jest
        .fn(() => hostWith({ runOneOff: () => cold('(e|)', { e: end }) }))
        .mockImplementationOnce(() => {
          throw new Error('a bug');
        });
      const request$ = hot('a-a-|', requests);
      const out$ = request$.pipe(codexMethods({ host: made, log, ...own, cancelled$: hot('-'), end$: hot('-') }));
      const B = { kind: 'response', id: 1, error: { code: -32603, message: 'Internal error' } };
      expectObservable(out$).toBe('B-A-|', { ...responses, B });
    }),
  );

  it(
    'stops a cancelled one in silence, and answers what runs at the end',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const run$ = cold('  ------(e|)', { e: end });
      const host = hostWith({ runOneOff: () => run$ });
      const request$ = hot('-a--a---|', requests);
      const cancelled$ = hot('--1', { 1: 1 });
      const end$ = hot('     ------z', { z: 'over' });
      const expected = '     ------E-|';
      expectObservable(request$.pipe(codexMethods({ host: () => host, log, ...own, cancelled$, end$ }))).toBe(
        expected,
        responses,
      );
      expectSubscriptions(run$.subscriptions).toBe(['-^!', '----^-!']);
    }),
  );
});

describe('gitDiffToRemote', () => {
  it(
    'answers with the commit that git prints first, and the diff after it',
    marbles(({ expectObservable }) => {
      expectObservable(run(ended('b0\nD\n\n'))).toBe('(R|)', {
        R: { kind: 'result', result: { sha: 'b0', diff: 'D\n\n' } },
      });
    }),
  );

  it.each<[string, ProcessEnd, string]>([
    ['a folder without repository', ended('', 128, 'fatal: not a git repository\n'), 'fatal: not a git repository'],
    ['no commit', ended('', 1), 'the repository has no commit yet; commit and push first'],
    ['no remote', ended('', 3), 'no remote has a commit of this branch; fetch or push it first'],
    ['a signal', ended('b0\n', 137), 'git ended with code 137'],
    [
      'too much output',
      { ...ended('b0\nD'), isCut: true },
      'the diff is too large; list generated files in .gitignore',
    ],
  ])('fails with the reason: %s', (_, end, reason) =>
    marbles(({ expectObservable }) => {
      expectObservable(run(end)).toBe('#', {}, failure(reason));
    })(),
  );
});

describe('execOneOffCommand', () => {
  const end = { exitCode: 3, stdout: 'o', stderr: 'e', isCut: false };

  const command = (params: object) => asked('execOneOffCommand', { command: ['ls'], ...params });

  it(
    'answers when the command has ended; unsubscribing ends it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const end$ = cold('--(e|)', { e: end });
      const run = execOneOffCommand({ runOneOff: () => end$ });
      expectObservable(run(command({}))).toBe('--(R|)', {
        R: { kind: 'result', result: { exitCode: 3, stdout: 'o', stderr: 'e' } },
      });
      expectObservable(run(command({})), '^!').toBe('');
      expectSubscriptions(end$.subscriptions).toBe(['^-!', '^!']);
    }),
  );

  it('passes the sandbox on as settings, which the ceiling limits', () => {
    const commands: OneOffCommand[] = [];
    const run = execOneOffCommand({
      runOneOff: (command) => {
        commands.push(command);
        return throwError(() => new ConfigError('looser than allowed'));
      },
    });
    const errors: unknown[] = [];
    const sandboxPolicy = { mode: 'workspace-write', network_access: true };
    run(command({ cwd: '/w', timeoutMs: 5, sandboxPolicy })).subscribe({ error: (error) => errors.push(error) });
    expect(commands).toEqual([
      {
        argv: ['ls'],
        timeoutMs: 5,
        settings: {
          cwd: '/w',
          sandbox: 'workspace-write',
          config: { 'sandbox_workspace_write.network_access': true },
        },
      },
    ]);
    expect(errors).toMatchObject([{ code: -32600, message: 'the command cannot run: looser than allowed' }]);
  });
});

describe('listConversations', () => {
  const all = [stored('a'), stored('b'), stored('c', 'other'), stored('d')];
  const run = listConversations({
    listStored: ({ after, limit }) => {
      const at = all.findIndex(({ path }) => path === after) + 1;
      return of(all.slice(at, at + limit));
    },
  });
  const page = (params: object, items: string[], nextCursor: string | null) =>
    marbles(({ expectObservable }) => {
      const result = { items: items.map(item), nextCursor };
      expectObservable(run(asked('listConversations', params))).toBe('(R|)', { R: { kind: 'result', result } });
    });

  it('answers with a page, newest first', page({ pageSize: 2 }, ['a', 'b'], all[1]?.path ?? ''));
  it(
    'goes on at the cursor, with those of the providers',
    page({ cursor: all[0]?.path, modelProviders: ['p'] }, ['b', 'd'], null),
  );

  it('names a cursor that is none', () => {
    expect(() => run(asked('listConversations', { cursor: 'x' }))).toThrow(
      'params.cursor must be a cursor that this server gave',
    );
  });
});

describe('archiveConversation', () => {
  it(
    'answers when it is done, and with who has it if it is open',
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

describe('getConfigToml', () => {
  const run = (config: JsonObject) =>
    firstValueFrom(getConfigToml({ savedConfig: () => config })(asked('getConfigToml')));

  it('shows what 0.28.0 shows, and no more', async () => {
    expect(await run(saved)).toEqual({
      kind: 'result',
      result: {
        approvalPolicy: 'on-failure',
        sandboxMode: 'workspace-write',
        modelReasoningEffort: 'high',
        profile: 'work',
        profiles: { work: { ...none, model: 'pm' }, bare: none },
      },
    });
    expect(await run({})).toEqual({ kind: 'result', result: { profiles: {} } });
  });

  it('fails with the reason if the file cannot be read', async () => {
    const savedConfig = () => {
      throw new ConfigError('/h/config.toml:3: not TOML');
    };
    await expect(firstValueFrom(getConfigToml({ savedConfig })(asked('getConfigToml')))).rejects.toMatchObject({
      code: -32603,
      message: 'failed to load config.toml: /h/config.toml:3: not TOML',
    });
  });
});

describe('getUserSavedConfig', () => {
  it('shows what later releases show, and no secret', async () => {
    const run = getUserSavedConfig({ savedConfig: () => saved });
    expect(await firstValueFrom(run(asked('getUserSavedConfig')))).toEqual({
      kind: 'result',
      result: {
        config: {
          approvalPolicy: 'on-failure',
          sandboxMode: 'workspace-write',
          sandboxSettings: { writableRoots: ['/w'], networkAccess: true },
          model: 'm',
          modelReasoningEffort: 'high',
          tools: { webSearch: true },
          profile: 'work',
          profiles: { work: { model: 'pm', modelProvider: 'p' }, bare: {} },
        },
      },
    });
  });
});
