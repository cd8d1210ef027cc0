/** Whatever a port of the daemon throws fails the request that needed it, and nothing else. */
import { PassThrough } from 'node:stream';
import { defer, isObservable, lastValueFrom, mergeMap, NEVER, Observable, throwError, timer } from 'rxjs';
import { DISK } from '../../src/agent/wiring/disk';
import { serve } from '../../src/app/serve';
import { createLog } from '../../src/io/log/createLog';
import type { PlayedSeams } from '../../src/tapes/seams/ports';
import { recordPorts } from '../../src/tapes/seams/record';
import { openHome, removeHomes } from '../support/home';

afterAll(removeHomes);

/** A model that runs a command, applies a patch or only answers, as the prompt asks. */
const CONFIG = `model = "s"
model_provider = "s"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.s]
name = "s"
wire_api = "scripted"
script = "answers.json"
`;
const PATCH = '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch';
const done = { items: [{ text: 'done' }] };
const call = (name: string, args: object) => ({ items: [{ call: name, args }] });
const SCRIPT = {
  scenes: [
    { when: '^run', answers: [call('shell', { command: ['echo', 'hi'] }), done] },
    { when: '^patch', answers: [call('apply_patch', { input: PATCH }), done] },
  ],
  otherwise: done,
};

const bug = (): Error => new Error('a port has failed');

/** How a port fails: what it returns instead of a stream. */
const STREAMS: Record<string, () => Observable<never>> = {
  'errors at once': () => throwError(bug),
  'throws when it is subscribed': () =>
    new Observable(() => {
      throw bug();
    }),
  'errors later': () => timer(1).pipe(mergeMap(() => throwError(bug))),
};

type Switch = { isBroken: boolean };

/** The same port, which fails in this way while the switch is on: each function in it, and each stream. */
const faulty = <T>(port: T, way: string, state: Switch): T => {
  const stream = STREAMS[way];
  const wrap = (value: unknown, self: unknown): unknown => {
    if (isObservable(value)) return defer(() => (state.isBroken ? (stream ?? fail)() : value));
    if (typeof value === 'function') return (...args: unknown[]) => run(() => Reflect.apply(value, self, args));
    return typeof value === 'object' && value !== null ? within(value) : value;
  };
  const fail = (): never => {
    throw bug();
  };
  const run = (plain: () => unknown): unknown => {
    if (!state.isBroken) return plain();
    if (stream === undefined) return fail();
    const result = plain();
    return isObservable(result) ? stream() : result;
  };
  const within = (object: object): unknown =>
    new Proxy(object, { get: (_, name) => wrap(Reflect.get(object, name), object) });
  return wrap(port, undefined) as T;
};

const plain: PlayedSeams = { ...recordPorts(undefined), after: timer };

type Faults = (way: string, state: Switch) => Partial<PlayedSeams>;

/** Each seam of the daemon with a port that fails. */
const SEAMS: Record<string, Faults> = {
  model: (way, state) => ({ model: (port) => faulty(port, way, state) }),
  backend: (way, state) => ({ backend: (port) => faulty(port, way, state) }),
  patches: (way, state) => ({ patches: (port) => faulty(port, way, state) }),
  threads: (way, state) => ({ threads: (open) => () => faulty(open(), way, state) }),
  'opening of threads': (way, state) => ({ threads: (open) => faulty(open, way, state) }),
  host: (way, state) => ({ host: (port) => faulty(port, way, state) }),
  choice: (way, state) => ({ choice: (choice$) => faulty(choice$, way, state) }),
  timer: (way, state) => ({ after: faulty(plain.after, way, state) }),
  'timer of unused threads': (way, state) => ({ afterIdle: faulty(plain.afterIdle, way, state) }),
};

/** Each port that is made when the engine or the host is. */
const MADE = ['model', 'backend', 'patches', 'threads', 'host', 'choice'] as const;

/** Each value that is drawn: an id, a time, what a folder is. */
const DRAWN = [
  'id',
  'callId',
  'time',
  'callClock',
  'workClock',
  'random',
  'clock',
  'history',
  'toolTime',
  'turnTime',
  'idleClock',
];

const REQUESTS: [string, object][] = [
  ['tools/call', { name: 'codex', arguments: { prompt: 'run' }, _meta: { progressToken: 1 } }],
  ['tools/call', { name: 'codex', arguments: { prompt: 'patch' } }],
  ['tools/call', { name: 'codex', arguments: { prompt: 'talk' } }],
  ['tools/call', { name: 'codex-reply', arguments: { threadId: '00000000-0000-4000-8000-000000000000', prompt: 'x' } }],
  ['newConversation', {}],
  ['resumeConversation', { conversationId: '00000000-0000-4000-8000-000000000000' }],
  ['listConversations', {}],
  ['archiveConversation', { conversationId: '00000000-0000-4000-8000-000000000000', rolloutPath: '/none' }],
  ['getUserSavedConfig', {}],
  ['getAuthStatus', {}],
  ['userInfo', {}],
  ['execOneOffCommand', { command: ['echo', 'hi'] }],
  ['fuzzyFileSearch', { query: 'a', roots: ['.'] }],
  ['gitDiffToRemote', { cwd: '.' }],
  ['ping', {}],
];

type Answer = { id?: number; method?: string; result?: { content?: { text: string }[] } };

/** A daemon on streams in memory. `all` are its messages; `ask` sends requests and resolves with their responses; `end` ends its input. */
const daemon = (seams: PlayedSeams, disk = DISK) => {
  const home = openHome();
  home.write('.codex/config.toml', CONFIG);
  home.write('.codex/answers.json', SCRIPT);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const processInfo = {
    env: { PATH: '/usr/bin:/bin', HOME: home.path },
    cwd: home.work,
    home: home.path,
    codexHome: `${home.path}/.codex`,
    dist: `${__dirname}/../../dist`,
    node: process.execPath,
    platform: process.platform,
    arch: process.arch,
    version: '1',
  };
  const options = {
    engine: 'auto',
    tape: { speed: 'max', match: 'strict' },
    overrides: [],
    face: 'union',
    events: 'auto',
    threadIdInText: 'never',
    tools: 'codex',
    askTimeoutMs: 1_000,
    turnTimeoutMs: 20_000,
    modelTimeoutMs: 20_000,
  } as const;
  const log = createLog({ level: 'error', stderr, secrets: () => [], later: () => {} });
  const served = lastValueFrom(serve({ stdin, stdout, stop$: NEVER, log, processInfo, seams, disk }, options), {
    defaultValue: undefined,
  });
  const over = served.then(
    (): Answer => ({}),
    (error: Error): Answer => ({ result: { content: [{ text: `the daemon ended: ${error.stack}` }] } }),
  );
  const all: Answer[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  let text = '';
  stdout.on('data', (chunk) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const answer of lines.map((line): Answer => JSON.parse(line))) {
      all.push(answer);
      if (answer.id !== undefined && answer.method === undefined) waiting.get(answer.id)?.(answer);
    }
  });
  let lastId = 0;
  const ask = ([method, params]: [string, object]): Promise<Answer> => {
    lastId += 1;
    const id = lastId;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    return Promise.race([answer, over]);
  };
  const end = (): Promise<unknown> => {
    stdin.end();
    return over;
  };
  return { all, ask, end, lastId: () => lastId };
};

/** Asks for everything while the port fails, then for a turn that works, and counts the answers. */
const answersOf = async (seams: PlayedSeams, state: Switch, disk = DISK) => {
  const { all, ask, end, lastId } = daemon(seams, disk);
  await ask([
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  ]);
  state.isBroken = true;
  await Promise.all(REQUESTS.map(ask));
  state.isBroken = false;
  const last = await ask(['tools/call', { name: 'codex', arguments: { prompt: 'run' } }]);
  const ping = await ask(['ping', {}]);
  await end();
  const ids = all.flatMap(({ id, method }) => (id !== undefined && method === undefined ? [id] : []));
  return {
    answered: ids.toSorted((a, b) => a - b),
    expected: Array.from({ length: lastId() }, (_, at) => at + 1),
    text: last.result?.content?.[0]?.text,
    ping: ping.result,
  };
};

const expectOneAnswerEach = async (answers: ReturnType<typeof answersOf>): Promise<void> => {
  const { expected, ...seen } = await answers;
  expect(seen).toEqual({ answered: expected, text: 'done', ping: {} });
};

describe('a daemon with a port that fails', () => {
  it('answers each request if none does', () => expectOneAnswerEach(answersOf(plain, { isBroken: false })));

  describe.each(['throws', ...Object.keys(STREAMS)])('because it %s', (way) => {
    it.each(Object.keys(SEAMS))('answers each request once, and goes on: %s', async (name) => {
      const state = { isBroken: false };
      await expectOneAnswerEach(answersOf({ ...plain, ...SEAMS[name]?.(way, state) }, state));
    });
  });

  it.each(MADE)('answers each request once if %s cannot be made', async (name) => {
    const state = { isBroken: false };
    const seams = { ...plain, [name]: faulty(plain[name], 'throws', state) };
    await expectOneAnswerEach(answersOf(seams, state));
  });

  it.each(DRAWN)('answers each request once if the value %s cannot be drawn', async (name) => {
    const state = { isBroken: false };
    const chance: PlayedSeams['chance'] = (drawn, draw) => (drawn === name ? faulty(draw, 'throws', state) : draw);
    await expectOneAnswerEach(answersOf({ ...plain, chance }, state));
  });

  it.each(Object.keys(DISK) as (keyof typeof DISK)[])(
    'answers each request once if the disk fails at %s',
    async (name) => {
      const state = { isBroken: false };
      await expectOneAnswerEach(answersOf(plain, state, { ...DISK, [name]: faulty(DISK[name], 'throws', state) }));
    },
  );
});
