import { type Observable, of, throwError } from 'rxjs';
import { NotBegun } from '../../src/appServer';
import { type OpenDeps, type Opened, openThread, startTurn } from '../../src/appServer/openThread';
import type { Thread } from '../../src/appServer/threads';
import { ConfigError } from '../../src/config';
import { type JsonObject, RpcError } from '../../src/protocol/jsonrpc';
import { marbles } from '../support/marbles';
import { linkDouble } from './link';

const deps: OpenDeps = {
  paramsOf: ({ model }) => ({ model, cwd: '/w' }),
  readRollout: (path) =>
    path === '/rollout' ? '{"type":"turn_context","payload":{"approval_policy":"never"}}' : undefined,
};
const answers = {
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
  history_log_id: 0,
  history_entry_count: 0,
};

type Answers = Record<string, () => Observable<JsonObject>>;

describe('openThread', () => {
  it(
    'begins a thread, tells of it and remembers who has it',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, asked } = linkDouble(cold('-'), { 'thread/start': () => cold('--(s|)', answers) });
      const thread: Thread = { settings: { model: 'gpt-5' } };
      const opened = { threadId: 't1', news: [configured], turn: {}, fresh: true };
      expectObservable(openThread(deps, link, thread)).toBe('--(o|)', { o: opened });
      flush();
      expect(asked).toEqual([['thread/start', { model: 'gpt-5', cwd: '/w' }]]);
      expect(thread).toMatchObject({ id: 't1', loadedBy: link });
    }),
  );

  it.each([
    ['what it does not say', {}, { approval_policy: 'on-request', sandbox_mode: 'read-only', model: '' }],
    ['a sandbox that is not known', { sandbox: { type: 'moon' } }, { sandbox_mode: 'read-only' }],
    ['no sandbox', { sandbox: { type: 'dangerFullAccess' } }, { sandbox_mode: 'danger-full-access' }],
  ])('takes from the server %s', (_, answer, told) => {
    const { link } = linkDouble(of(), { 'thread/start': () => of({ thread: { id: 't1' }, ...answer }) });
    const opened: Opened[] = [];
    openThread(deps, link, { settings: {} }).subscribe((each) => opened.push(each));
    expect(opened[0]?.news).toMatchObject([told]);
  });

  it(
    'leaves a thread as it is that this server has',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, asked } = linkDouble(cold('-'));
      const opened = { threadId: 't1', news: [], turn: {}, fresh: false };
      expectObservable(openThread(deps, link, { id: 't1', loadedBy: link })).toBe('(o|)', { o: opened });
      flush();
      expect(asked).toEqual([]);
    }),
  );

  it.each<[string, Thread, Answers, JsonObject, JsonObject[]]>([
    [
      'one that was begun elsewhere under what its rollout says',
      { id: 't1' },
      { 'thread/resume': () => of(answers.r) },
      { approvalPolicy: 'never' },
      [{ threadId: 't1', excludeTurns: true }],
    ],
    [
      'one without a rollout as the server has it',
      { id: 't1' },
      { 'thread/resume': () => of(answers.l) },
      {},
      [{ threadId: 't1', excludeTurns: true }],
    ],
    [
      'one that was begun here under its settings',
      { id: 't1', settings: { model: 'm' }, turnId: 'of another process' },
      { 'thread/resume': () => of(answers.r) },
      {},
      [{ threadId: 't1', model: 'm', cwd: '/w', excludeTurns: true }],
    ],
  ])('loads %s', (_, thread, given, turn, params) =>
    marbles(({ cold, expectObservable, flush }) => {
      const { link, asked } = linkDouble(cold('-'), given);
      expectObservable(openThread(deps, link, thread)).toBe('(o|)', {
        o: { threadId: 't1', news: [], turn, fresh: true },
      });
      flush();
      expect(asked.map(([, sent]) => sent)).toEqual(params);
      expect(thread).toMatchObject({ loadedBy: link, turnId: undefined });
    })(),
  );

  it(
    'loads a thread with all its turns where the server knows no other way',
    marbles(({ cold, expectObservable, flush }) => {
      let asks = 0;
      const resume = () => (++asks === 1 ? no('excludeTurns requires experimentalApi capability')() : of(answers.l));
      const { link, asked } = linkDouble(cold('-'), { 'thread/resume': resume });
      expectObservable(openThread(deps, link, { id: 't1' })).toBe('(o|)', { o: expect.anything() });
      flush();
      expect(asked[1]).toEqual(['thread/resume', { threadId: 't1' }]);
    }),
  );

  it.each<[string, Thread, Answers, Error]>([
    [
      'no thread is there',
      {},
      {},
      new NotBegun('There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.'),
    ],
    ['the server begins none', { settings: {} }, { 'thread/start': no('bad model') }, new NotBegun('bad model')],
    [
      'the server has lost it',
      { id: 't1' },
      { 'thread/resume': no('no rollout found') },
      new NotBegun(
        'The thread t1 could not be loaded: no rollout found. A thread is kept from its first turn on; start a new one with the tool codex.',
      ),
    ],
    [
      'the server is gone',
      { id: 't1' },
      { 'thread/resume': () => throwError(() => new Error('gone')) },
      new Error('gone'),
    ],
  ])('errors where %s', (_, thread, given, error) =>
    marbles(({ cold, expectObservable }) => {
      const { link } = linkDouble(cold('-'), given);
      expectObservable(openThread(deps, link, thread)).toBe('#', {}, error);
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

describe('startTurn', () => {
  const opened: Opened = { threadId: 't1', news: [], turn: { approvalPolicy: 'never' }, fresh: true };
  const input = [{ type: 'text', text: 'go' }];

  it(
    'emits the id of the turn, and gives the thread what it ran under',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, asked } = linkDouble(cold('-'), { 'turn/start': () => cold('-(u|)', answers) });
      expectObservable(startTurn(deps, link, {}, opened, 'go')).toBe('-(i|)', { i: 'u1' });
      flush();
      expect(asked).toEqual([['turn/start', { threadId: 't1', input, approvalPolicy: 'never' }]]);
    }),
  );

  it(
    'loads a thread again that was let go of, and tries once more',
    marbles(({ cold, expectObservable, flush }) => {
      let asks = 0;
      const { link, asked } = linkDouble(cold('-'), {
        'turn/start': () => (++asks === 1 ? no('thread not found')() : of(answers.u)),
        'thread/resume': () => cold('-(r|)', answers),
      });
      const known = { ...opened, turn: {}, fresh: false };
      expectObservable(startTurn(deps, link, {}, known, 'go')).toBe('-(i|)', { i: 'u1' });
      flush();
      expect(asked.map(([method]) => method)).toEqual(['turn/start', 'thread/resume', 'turn/start']);
      expect(asked[2]?.[1]).toEqual({ threadId: 't1', input, approvalPolicy: 'never' });
    }),
  );

  it(
    'errors where the server refuses a thread that was only just loaded',
    marbles(({ cold, expectObservable }) => {
      const { link } = linkDouble(cold('-'), { 'turn/start': no('bad params') });
      expectObservable(startTurn(deps, link, {}, opened, 'go')).toBe('#', {}, new RpcError(-32600, 'bad params'));
    }),
  );
});
