import { firstValueFrom, of, tap } from 'rxjs';
import type { Backend, Started } from '../../../src/executor/backend';
import type { SessionSandbox } from '../../../src/executor/sandbox/openSandboxes';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { HostError } from '../../../src/protocol/methods/host';
import { type HostDeps, runGit, runOneOff, runToEnd } from '../../../src/server/host/commands';
import type { Config } from '../../../src/settings/config';
import { ConfigError } from '../../../src/settings/faults/configError';
import { marbles } from '../../support/marbles';

type Ready = { kind: 'ready' } | { kind: 'missing'; remedy: string };

/** Tools that note where each process runs: `plain`, `asSet` or `readOnly`. */
const tools = (
  config: Partial<Config>,
  { ready = { kind: 'ready' } as Ready, only = undefined as string | undefined } = {},
) => {
  const runs: { where: string; spec: ProcessSpec }[] = [];
  const backend = (where: string): Backend => ({
    start: (spec) => {
      runs.push({ where, spec });
      return of<ProcessEvent[]>({ kind: 'exited', seq: 1, exitCode: 0 }, { kind: 'closed', seq: 2 });
    },
  });
  const sandbox = { ready$: of(ready), asSet: backend('asSet'), readOnly: backend('readOnly') } as SessionSandbox;
  const deps: HostDeps = {
    configure: ({ cwd = '/w' }) => ({ cwd, sandboxMode: 'read-only', alwaysSandboxed: false, ...config }) as Config,
    tools: {
      backend: backend('plain'),
      openSandbox: () => sandbox,
      environmentOf: () => ({ PATH: '/bin:/w/bin' }),
      trustedPath: () => '/bin',
      workspaceProgram: () => only,
    },
  };
  return { deps, runs };
};

const end = { exitCode: 0, stdout: '', stderr: '', isCut: false };

const missing: Ready = { kind: 'missing', remedy: 'install bubblewrap' };

const command = { argv: ['ls'], timeoutMs: 100, settings: {} };

const events: Record<string, Started | ProcessEvent> = {
  s: { kind: 'started', process: {} as Started['process'] },
  o: { kind: 'output', seq: 1, stream: 'stdout', chunk: Buffer.from('out') },
  e: { kind: 'output', seq: 2, stream: 'stderr', chunk: Buffer.from('err') },
  x: { kind: 'exited', seq: 3, exitCode: 3 },
  z: { kind: 'closed', seq: 4 },
  f: { kind: 'failed', seq: 1, reason: 'no such program' },
};

const output = (chunk: Uint8Array): ProcessEvent => ({ kind: 'output', seq: 1, stream: 'stdout', chunk });

const spec = { argv: ['a'], cwd: '/', env: {} };

const limits = { timeoutMs: 10, maxBytes: 6 };

describe('runOneOff', () => {
  it.each<[string, Partial<Config>, string]>([
    ['in the sandbox of its settings', {}, 'asSet'],
    ['directly in full access', { sandboxMode: 'danger-full-access' }, 'plain'],
    [
      'in the sandbox that the operator prescribes',
      { sandboxMode: 'danger-full-access', alwaysSandboxed: true },
      'asSet',
    ],
  ])('runs %s', (_, config, where) =>
    marbles(({ expectObservable }) => {
      const { deps, runs } = tools(config);
      expectObservable(runOneOff(deps)(command)).toBe('(E|)', { E: end });
      runOneOff(deps)(command).subscribe();
      expect(runs).toEqual([{ where, spec: { argv: ['ls'], cwd: '/w', env: { PATH: '/bin:/w/bin' } } }]);
    })(),
  );

  it(
    'does not run if no sandbox works, or the settings are above the ceiling',
    marbles(({ expectObservable }) => {
      const { deps, runs } = tools({}, { ready: missing });
      expectObservable(runOneOff(deps)(command)).toBe('#', {}, new HostError('install bubblewrap'));
      const refused = new ConfigError('looser');
      const configure = () => {
        throw refused;
      };
      expectObservable(runOneOff({ ...deps, configure })(command)).toBe('#', {}, refused);
      expect(runs).toEqual([]);
    }),
  );
});

describe('runGit', () => {
  it('runs in the read-only sandbox', () => {
    const { deps, runs } = tools({});
    runGit(deps)('/r', ['diff']).subscribe();
    expect(runs).toMatchObject([{ where: 'readOnly', spec: { argv: ['git', 'diff'], cwd: '/r' } }]);
    expect(runs[0]?.spec.env).toMatchObject({ PATH: '/bin', GIT_PAGER: 'cat', GIT_CONFIG_KEY_0: 'core.fsmonitor' });
  });

  it('does not run if no sandbox works, because a repository may name programs', () => {
    const { deps, runs } = tools({}, { ready: missing });
    const errors: unknown[] = [];
    runGit(deps)('/r', ['diff']).subscribe({ error: (error) => errors.push(error) });
    expect(errors).toEqual([new HostError('install bubblewrap')]);
    expect(runs).toEqual([]);
  });

  it('does not run a git that only the workspace has', () => {
    const { deps, runs } = tools({}, { only: 'git' });
    const errors: unknown[] = [];
    runGit(deps)('/', ['diff']).subscribe({ error: (error) => errors.push(error) });
    expect(errors).toMatchObject([
      { name: 'HostError', message: expect.stringMatching(/not taken from the workspace/) },
    ]);
    expect(runs).toEqual([]);
  });

  it('leaves out a PATH that is not there: an empty one would mean the folder of the repository', () => {
    const { deps, runs } = tools({});
    const without = { ...deps, tools: { ...deps.tools, environmentOf: () => ({}) } };
    runGit(without)('/r', ['diff']).subscribe();
    expect(runs[0]?.spec.env).not.toHaveProperty('PATH');
  });
});

describe('runToEnd', () => {
  it(
    'emits how the process ended, with its output',
    marbles(({ cold, expectObservable }) => {
      const process$ = cold('so-e-x-z--', events);
      const expected = '     -------(E|)';
      const end = { exitCode: 3, stdout: 'out', stderr: 'err', isCut: false };
      expectObservable(runToEnd({ start: () => process$ }, limits)(spec)).toBe(expected, { E: end });
    }),
  );

  it(
    'drops output beyond the limit, and marks the end as cut',
    marbles(({ cold, expectObservable }) => {
      const process$ = cold('sooox(z|)', events);
      const end = { exitCode: 3, stdout: 'outout', stderr: '', isCut: true };
      expectObservable(runToEnd({ start: () => process$ }, limits)(spec)).toBe('-----(E|)', { E: end });
    }),
  );

  it('joins a character that two chunks share, and begins again for each subscriber', () => {
    const [first, second] = [Buffer.from('aä').subarray(0, 2), Buffer.from('aä').subarray(2)];
    const process$ = of(output(first), output(second), events.x as ProcessEvent, events.z as ProcessEvent);
    const texts: string[] = [];
    const end$ = runToEnd({ start: () => process$ }, limits)(spec);
    for (let i = 0; i < 2; i += 1) end$.subscribe(({ stdout }) => texts.push(stdout));
    expect(texts).toEqual(['aä', 'aä']);
  });

  it('lets other work pass before a long output goes on', async () => {
    const long = Buffer.alloc(5_000_000, 'a');
    const process$ = of(output(long), events.x as ProcessEvent, events.z as ProcessEvent);
    const end$ = runToEnd({ start: () => process$ }, { timeoutMs: 10_000, maxBytes: long.length })(spec);
    const seen: string[] = [];
    const last = firstValueFrom(end$.pipe(tap(({ stdout }) => seen.push(`${stdout.length}`))));
    seen.push('subscribed');
    await last;
    expect(seen).toEqual(['subscribed', `${long.length}`]);
  });

  it(
    'errors if the process cannot be started, or takes too long, and ends it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failed$ = cold('-f', events);
      expectObservable(runToEnd({ start: () => failed$ }, limits)(spec)).toBe(
        '-#',
        {},
        new HostError('no such program'),
      );
      const late$ = cold('  s-o-', events);
      const late = new HostError('it did not end within 0.01 s');
      expectObservable(runToEnd({ start: () => late$ }, limits)(spec)).toBe('10ms #', {}, late);
      expectSubscriptions(late$.subscriptions).toBe('^ 9ms !');
    }),
  );
});
