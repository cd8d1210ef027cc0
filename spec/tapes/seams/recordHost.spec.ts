import { EMPTY, from, NEVER, type Observable, of } from 'rxjs';
import { type CodexHost, HostError, type SessionFacts } from '../../../src/protocol/methods/host';
import { CHANCE_SEAM, type Chance, recordChance } from '../../../src/tapes/format/seams';
import type { Entry } from '../../../src/tapes/format/tape';
import { answerCalls } from '../../../src/tapes/rerun/answerCalls';
import { toRerunPlan } from '../../../src/tapes/rerun/rerunPlan';
import { recordHost } from '../../../src/tapes/seams/recordHost';
import { tapeHost } from '../../../src/tapes/seams/tapePorts';
import { marbles } from '../../support/marbles';

const END = { exitCode: 0, stdout: 'on main', stderr: '', isCut: false };
const LOGIN = { method: 'chatgpt', token: 'secret-token', email: 'a@b.c' } as const;

const hostOf = (own: Partial<CodexHost>): CodexHost => ({
  savedConfig: () => ({ model: 'm' }),
  folder: (path) => `/abs/${path}`,
  git: () => EMPTY,
  runOneOff: () => EMPTY,
  files: () => EMPTY,
  readStored: () => EMPTY,
  sessions: {
    find: () => EMPTY,
    fork: () => EMPTY,
    has: () => EMPTY,
    rename: () => EMPTY,
    setArchived: () => EMPTY,
    remove: () => EMPTY,
  },
  account: {
    current: () => LOGIN,
    preferred: () => 'chatgpt',
    refresh$: of('secret-token'),
    logout$: EMPTY,
    login$: NEVER,
  },
  listStored: () => EMPTY,
  findStored: () => EMPTY,
  archiveStored: () => EMPTY,
  listTapes: () => EMPTY,
  readTape: () => EMPTY,
  ...own,
});

/** A host that is recorded, and what is on its tape. */
const recorded = (own: Partial<CodexHost>) => {
  const entries: Entry[] = [];
  const tape = (entry: object) => void entries.push({ t: 0, ...entry } as Entry);
  return { host: recordHost(tape, recordChance(tape))(hostOf(own)), entries };
};

/** The host of a tape; each answer comes with its call. */
const played = (entries: readonly Entry[]): CodexHost => {
  const plan = toRerunPlan(
    { meta: {}, entries: entries.map((entry, i) => ({ lineNumber: i, entry })) },
    { chance: CHANCE_SEAM, choice: { seam: 'engine', inner: [] } },
  );
  const drawn = new Map([...plan.drawn].map(([name, values]) => [name, [...values]]));
  const chance: Chance =
    <T>(name: string) =>
    () =>
      drawn.get(name)?.shift() as T;
  return tapeHost(
    answerCalls(plan, 'atOnce', ({ line }) => line),
    chance,
    'none',
  )(hostOf({ git: () => of({ ...END, stdout: 'live' }) }));
};

const valuesOf = <T>(value$: Observable<T>): (T | string)[] => {
  const values: (T | string)[] = [];
  value$.subscribe({
    next: (value) => values.push(value),
    error: (error) => values.push(`${error.name}: ${error.message}`),
  });
  return values;
};

describe('recordHost', () => {
  it('gives on the tape what the machine gave', () => {
    const { host, entries } = recorded({
      git: (_, [command]) => {
        if (command === 'status') return of(END);
        throw new HostError('no repository');
      },
      files: () => from([['a', 'b'], ['d/c']]),
    });
    const use = (one: CodexHost) => [
      valuesOf(one.git('/w', ['status'])),
      valuesOf(one.git('/w', ['diff'])),
      valuesOf(one.files('/w')),
      [one.account.preferred(), one.savedConfig(), one.folder('x')],
    ];
    const live = use(host);
    expect(live[1]).toEqual(['HostError: no repository']);
    expect(use(played(entries))).toEqual(live);
    expect(valuesOf(played(entries).git('/w', ['log']))).toEqual([
      expect.stringMatching(/^HostError: this was not recorded/),
    ]);
  });

  it('writes no token', () => {
    const { host, entries } = recorded({});
    expect(host.account.current()).toEqual(LOGIN);
    expect(valuesOf(host.account.refresh$)).toEqual([null]);
    expect(JSON.stringify(entries)).not.toContain('secret');
    const { token: _, ...shown } = LOGIN;
    expect(played(entries).account.current()).toEqual(shown);
  });

  it('writes no value of the variables and headers of a server', () => {
    const servers = { a: { command: 'x', env: { KEY: 'secret' } }, b: { url: 'u', http_headers: { X: 'secret' } } };
    const facts = { settings: { config: { mcp_servers: servers } } } as unknown as SessionFacts;
    const { host, entries } = recorded({ sessions: { ...hostOf({}).sessions, find: () => of(facts) } });
    const asked = { cwd: '/w', folders: [], servers };
    expect(valuesOf(host.sessions.find(asked))).toEqual([facts]);
    expect(JSON.stringify(entries)).not.toContain('secret');
    expect(valuesOf(played(entries).sessions.find(asked))).toMatchObject([
      { settings: { config: { mcp_servers: { a: { command: 'x' }, b: { url: 'u' } } } } },
    ]);
  });

  it('gives the lines of a rollout, also of tapes that have its text', () => {
    const rollout = [{ type: 'session_meta' }, { type: 'turn_context' }];
    const facts = { cwd: '/w', rollout } as unknown as SessionFacts;
    const found = { find: () => of(facts), fork: () => of({ id: 'f', facts }) };
    const { host, entries } = recorded({ sessions: { ...hostOf({}).sessions, ...found } });
    const asked = { cwd: '/w', folders: [], servers: {}, id: 'k' };
    const use = ({ sessions }: CodexHost) => [valuesOf(sessions.find(asked)), valuesOf(sessions.fork(asked))];
    const live = use(host);
    expect(live).toEqual([[facts], [{ id: 'f', facts }]]);
    expect(use(played(entries))).toEqual(live);
    const text = JSON.stringify(rollout.map((line) => JSON.stringify(line)).join('\n'));
    const old = entries.map((entry) => ({ ...entry, line: entry.line.replace(JSON.stringify(rollout), () => text) }));
    expect(old).not.toEqual(entries);
    expect(use(played(old))).toEqual(live);
  });

  it('writes no header of a gateway, nor a key in its address', () => {
    const { host, entries } = recorded({ sessions: { ...hostOf({}).sessions, find: () => of(null) } });
    const gateway = { name: 'G', url: 'https://me:secret@a/?key=secret', headers: { Authorization: 'secret' } };
    const asked = { cwd: '/w', folders: [], servers: {}, gateway };
    expect(valuesOf(host.sessions.find(asked))).toEqual([null]);
    expect(JSON.stringify(entries)).not.toContain('secret');
    expect(valuesOf(played(entries).sessions.find(asked))).toEqual([null]);
  });

  it(
    'notes that a login was given up',
    marbles(({ cold, expectObservable, flush }) => {
      const waiting = { kind: 'waiting', url: 'https://x' } as const;
      const account = { ...hostOf({}).account, login$: cold('-w---', { w: waiting }) };
      const { host, entries } = recorded({ account });
      expectObservable(host.account.login$, '---!').toBe('-w--', { w: waiting });
      flush();
      expect(entries.map(({ dir, line }) => `${dir} ${line}`)).toEqual([
        'in ["login"]',
        `out ${JSON.stringify(waiting)}`,
        'note stopped',
      ]);
    }),
  );
});
