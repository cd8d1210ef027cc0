import fc from 'fast-check';
import { type Observable, of, throwError } from 'rxjs';
import { ConnectionLost, type Link } from '../../../../src/agent/appServer/connection/link';
import {
  limitTurn,
  type OpenDeps,
  type OpenedThread,
  type OpeningThread,
  openThread,
  type StoredLimits,
  sessionConfigured,
  storedTurn,
  type Thread,
} from '../../../../src/agent/appServer/threads/openThread';
import { CannotBegin } from '../../../../src/agent/turns/rejection';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { ConfigError } from '../../../../src/settings/faults/configError';
import { marbles } from '../../../support/marbles';
import { linkDouble } from '../connection/link';

const deps: OpenDeps = {
  promptHistory: () => ({ history_log_id: 12, history_entry_count: 3 }),
  paramsOf: ({ model }) => ({ model, cwd: '/w' }),
  limits: () => ({ config: {} }),
  readRollout: (path) =>
    path === '/rollout' ? '{"type":"turn_context","payload":{"approval_policy":"never"}}' : undefined,
};
const results = {
  s: {
    thread: { id: 't1' },
    model: 'gpt-5',
    modelProvider: 'openai',
    approvalPolicy: 'untrusted',
    sandbox: { type: 'workspaceWrite' },
    cwd: '/w',
  },
  r: { thread: { id: 't1', path: '/rollout' } },
  l: { thread: { id: 't1' } },
  u: { turn: { id: 'u1' } },
} as const;
const no = (message: string) => () => throwError(() => new RpcError(-32600, message));
const configured = {
  type: 'session_configured',
  session_id: 't1',
  model: 'gpt-5',
  model_provider_id: 'openai',
  approval_policy: 'untrusted',
  sandbox_mode: 'workspace-write',
  cwd: '/w',
  history_log_id: 12,
  history_entry_count: 3,
  mcp_servers: 'reported',
};

type Results = Record<string, () => Observable<JsonObject>>;
type Entry = OpeningThread;
const loaded = (link: Link, more: Partial<Thread> = {}): Thread => ({
  id: 't1',
  loadedBy: link,
  turnId: '',
  base: {},
  once: [],
  ...more,
});

describe('openThread', () => {
  it(
    'starts a thread and announces it',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, requests } = linkDouble(cold('-'), { 'thread/start': () => cold('--(s|)', results) });
      const settings = { model: 'gpt-5' };
      const sandboxPolicy = { type: 'workspaceWrite' };
      const base = { model: 'gpt-5', approvalPolicy: 'untrusted', cwd: '/w', sandboxPolicy };
      const opened: OpenedThread = {
        thread: loaded(link, { settings, base }),
        msgs: [configured as OpenedThread['msgs'][number]],
        turnParams: {},
        isLoaded: true,
      };
      expectObservable(openThread(deps, link, { settings })).toBe('--(o|)', { o: opened });
      flush();
      expect(requests).toEqual([['thread/start', { model: 'gpt-5', cwd: '/w' }]]);
    }),
  );

  it.each([
    ['what it leaves out', {}, { approval_policy: 'on-request', sandbox_mode: 'read-only', model: '' }],
    ['an unknown sandbox', { sandbox: { type: 'moon' } }, { sandbox_mode: 'read-only' }],
    ['no sandbox', { sandbox: { type: 'dangerFullAccess' } }, { sandbox_mode: 'danger-full-access' }],
  ])('takes from the server %s', (_, result, expected) => {
    const { link } = linkDouble(of(), { 'thread/start': () => of({ thread: { id: 't1' }, ...result }) });
    const opened: OpenedThread[] = [];
    openThread(deps, link, { settings: {} }).subscribe((each) => opened.push(each));
    expect(opened[0]?.msgs).toMatchObject([expected]);
  });

  it(
    'leaves a thread as it is that this server has',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, requests } = linkDouble(cold('-'));
      const thread = loaded(link, { turnId: 'u' });
      const opened: OpenedThread = { thread, msgs: [], turnParams: {}, isLoaded: false };
      expectObservable(openThread(deps, link, { id: 't1', thread })).toBe('(o|)', { o: opened });
      flush();
      expect(requests).toEqual([]);
    }),
  );

  const elsewhere = linkDouble(of()).link;
  it.each<[string, Entry, JsonObject, JsonObject, JsonObject]>([
    [
      'one that was started elsewhere with the settings of its rollout',
      { id: 't1' },
      results.r,
      { approvalPolicy: 'never' },
      { threadId: 't1', excludeTurns: true },
    ],
    ['one without a rollout as the server has it', { id: 't1' }, results.l, {}, { threadId: 't1', excludeTurns: true }],
    [
      'one that was started here in another process with its settings',
      { id: 't1', settings: { model: 'm' }, thread: loaded(elsewhere, { turnId: 'of another process' }) },
      results.r,
      {},
      { threadId: 't1', model: 'm', cwd: '/w', excludeTurns: true },
    ],
  ])('loads %s', (_, entry, result, turnParams, params) =>
    marbles(({ cold, expectObservable, flush }) => {
      const { link, requests } = linkDouble(cold('-'), { 'thread/resume': () => of(result) });
      const thread = loaded(link, { settings: entry.settings });
      expectObservable(openThread(deps, link, entry)).toBe('(o|)', {
        o: { thread, msgs: [], turnParams, isLoaded: true },
      });
      flush();
      expect(requests).toEqual([['thread/resume', params]]);
    })(),
  );

  it.each<[string, Entry, JsonObject, Partial<Thread>]>([
    [
      'that was started here, laid over its settings',
      { id: 't1', settings: { model: 'm', compactPrompt: 'a' }, lasting: { compactPrompt: 'c', model: 'n' } },
      { model: 'm', compactPrompt: 'c' },
      { settings: { model: 'm', compactPrompt: 'c' } },
    ],
    [
      'that was started elsewhere, and nothing that it has in addition',
      { id: 't1', lasting: { compactPrompt: 'c', model: 'n' } },
      { compactPrompt: 'c' },
      { added: { compactPrompt: 'c' } },
    ],
    [
      'that was started elsewhere, after those of earlier calls',
      {
        id: 't1',
        thread: loaded(linkDouble(of()).link, { added: { compactPrompt: 'a', baseInstructions: 'b' } }),
        lasting: { compactPrompt: 'c' },
      },
      { compactPrompt: 'c', baseInstructions: 'b' },
      { added: { compactPrompt: 'c', baseInstructions: 'b' } },
    ],
    ['that was started elsewhere, where it only moves', { id: 't1', lasting: { cwd: '/n' } }, {}, {}],
  ])('loads with what the call changes a thread %s', (_, entry, params, kept) => {
    const { link, requests } = linkDouble(of(), { 'thread/resume': () => of(results.l) });
    const threads: Thread[] = [];
    openThread({ ...deps, paramsOf: (settings) => ({ ...settings }) }, link, entry).subscribe(({ thread }) =>
      threads.push(thread),
    );
    expect(requests).toEqual([['thread/resume', { threadId: 't1', excludeTurns: true, ...params }]]);
    expect(threads).toEqual([loaded(link, kept)]);
  });

  it(
    'loads a thread with all its turns where the server knows no other way',
    marbles(({ cold, expectObservable, flush }) => {
      let tries = 0;
      const resume = () => (++tries === 1 ? no('excludeTurns requires experimentalApi capability')() : of(results.l));
      const { link, requests } = linkDouble(cold('-'), { 'thread/resume': resume });
      expectObservable(openThread(deps, link, { id: 't1' })).toBe('(o|)', { o: expect.anything() });
      flush();
      expect(requests[1]).toEqual(['thread/resume', { threadId: 't1' }]);
    }),
  );

  it.each([
    ['waits for a thread that another server still writes', 3, '500ms (o|)'],
    ['waits no longer than five seconds for it', 99, '5s #'],
  ])('%s', (_, refusals, expected) =>
    marbles(({ cold, expectObservable, flush }) => {
      let tries = 0;
      const refused = 'thread t1 already has an active writer';
      const resume = () => (++tries < refusals ? no(refused)() : of(results.l));
      const { link, requests } = linkDouble(cold('-'), { 'thread/resume': resume });
      const lost = new CannotBegin(
        `The thread t1 could not be loaded: ${refused}. A thread is stored only from its first turn on; start a new one with the tool codex.`,
      );
      expectObservable(openThread(deps, link, { id: 't1' })).toBe(expected, { o: expect.anything() }, lost);
      flush();
      expect(requests).toHaveLength(Math.min(refusals, 21));
    })(),
  );

  it.each<[string, Entry, Results, Error]>([
    [
      'no thread is there',
      {},
      {},
      new CannotBegin('There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.'),
    ],
    ['the server starts none', { settings: {} }, { 'thread/start': no('bad model') }, new CannotBegin('bad model')],
    [
      'the server has lost it',
      { id: 't1' },
      { 'thread/resume': no('no rollout found') },
      new CannotBegin(
        'The thread t1 could not be loaded: no rollout found. A thread is stored only from its first turn on; start a new one with the tool codex.',
      ),
    ],
    [
      'the server is gone',
      { id: 't1' },
      { 'thread/resume': () => throwError(() => new ConnectionLost('gone')) },
      new ConnectionLost('gone'),
    ],
  ])('errors where %s', (_, entry, given, error) =>
    marbles(({ cold, expectObservable }) => {
      const { link } = linkDouble(cold('-'), given);
      expectObservable(openThread(deps, link, entry)).toBe('#', {}, error);
    })(),
  );

  it(
    'errors where the settings cannot be used',
    marbles(({ cold, expectObservable }) => {
      const { link } = linkDouble(cold('-'));
      const paramsOf = () => {
        throw new ConfigError('no such profile');
      };
      const opened$ = openThread({ ...deps, paramsOf }, link, { settings: {} });
      expectObservable(opened$).toBe('#', {}, new ConfigError('no such profile'));
    }),
  );
});

describe('sessionConfigured', () => {
  const history = { history_log_id: 3, history_entry_count: 4 };
  const configured = {
    type: 'session_configured',
    session_id: 'T',
    model: 'm',
    model_provider_id: 'p',
    cwd: '/w',
    mcp_servers: 'reported',
    approval_policy: 'never',
    sandbox_mode: 'workspace-write',
    ...history,
  };
  const result = {
    model: 'm',
    modelProvider: 'p',
    approvalPolicy: 'never',
    sandbox: { type: 'workspaceWrite' },
    cwd: '/w',
  };

  describe('sessionConfigured', () => {
    it.each([
      ['as the server names it ', {}, {}],
      ['with full access       ', { sandbox: { type: 'dangerFullAccess' } }, { sandbox_mode: 'danger-full-access' }],
      ['with an unknown sandbox', { sandbox: { type: 'cloud' } }, { sandbox_mode: 'read-only' }],
      ['without a sandbox      ', { sandbox: undefined }, { sandbox_mode: 'read-only' }],
      ['without a policy       ', { approvalPolicy: null }, { approval_policy: 'on-request' }],
      ['without a model        ', { model: undefined }, { model: '' }],
    ])('is the first event of a thread, %s', (_, own, expected) => {
      expect(sessionConfigured('T', { ...result, ...own }, history)).toEqual({ ...configured, ...expected });
    });
  });
});

describe('storedTurn', () => {
  const context = (payload: unknown) => JSON.stringify({ type: 'turn_context', payload });

  it.each<[string, string | undefined, JsonObject]>([
    ['no rollout', undefined, {}],
    ['a rollout without a turn', '{"type":"session_meta"}', {}],
    ['a line that was cut off', '{"type":"turn_context","payl', {}],
    [
      'the last turn',
      [context({ approval_policy: 'never' }), context({ approval_policy: 'untrusted' })].join('\n'),
      { approvalPolicy: 'untrusted' },
    ],
    [
      'a sandbox with its members',
      context({ sandbox_policy: { type: 'workspace-write', network_access: true, writable_roots: ['/x'] } }),
      { sandboxPolicy: { type: 'workspaceWrite', networkAccess: true, writableRoots: ['/x'] } },
    ],
    [
      'a sandbox as 0.28.0 wrote it',
      context({ sandbox_policy: { mode: 'read-only' } }),
      {
        sandboxPolicy: { type: 'readOnly' },
      },
    ],
    ['a sandbox that is not known', context({ sandbox_policy: { type: 'moon' } }), {}],
  ])('takes from %s', (_, rollout, expected) => {
    expect(storedTurn(rollout)).toEqual(expected);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, payload) => {
        for (const rollout of [text, `"turn_context"${text}`, context(payload)]) {
          expect(storedTurn(rollout)).toBeInstanceOf(Object);
        }
      }),
    );
  });
});

describe('limitTurn', () => {
  const danger = { sandboxPolicy: { type: 'dangerFullAccess' } };
  const writes = { sandboxPolicy: { type: 'workspaceWrite', networkAccess: true } };
  const untrusted = { approval_policy: 'untrusted' };

  it.each<[string, StoredLimits, JsonObject, JsonObject]>([
    [
      'keeps what is stored',
      { config: {} },
      { approvalPolicy: 'never', ...danger },
      { approvalPolicy: 'never', ...danger },
    ],
    ['has nothing where nothing is stored or set', { config: {} }, {}, {}],
    ['has the policy of the operator, if none is stored', { config: untrusted }, {}, { approvalPolicy: 'untrusted' }],
    [
      'keeps the stored policy before that',
      { config: untrusted },
      { approvalPolicy: 'never' },
      { approvalPolicy: 'never' },
    ],
    [
      'does not ask less often than the ceiling',
      { config: untrusted, policy: 'untrusted' },
      { approvalPolicy: 'never' },
      { approvalPolicy: 'untrusted' },
    ],
    [
      'may be stricter',
      { config: {}, policy: 'never' },
      { approvalPolicy: 'untrusted' },
      { approvalPolicy: 'untrusted' },
    ],
    [
      'has the newer name of a retired policy',
      { config: {} },
      { approvalPolicy: 'on-failure' },
      { approvalPolicy: 'on-request' },
    ],
    ['keeps a sandbox below the ceiling', { config: {}, mode: 'workspace-write' }, writes, writes],
    [
      'does not leave the sandbox of the ceiling',
      { config: {}, mode: 'read-only' },
      writes,
      { sandboxPolicy: { type: 'readOnly' } },
    ],
  ])('%s', (_, limits, turn, expected) => {
    expect(limitTurn(limits, turn)).toEqual(expected);
  });
});
