import { EMPTY, type Observable } from 'rxjs';
import { READ_ONLY, toExecSandbox } from '../../../src/executor/remote/execSandbox';
import { sandboxElsewhere } from '../../../src/executor/remote/sandboxElsewhere';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import { marbles } from '../../support/marbles';
import { closed, exited, failed, output } from '../events';

const envPolicy = { inherit: 'core' as const, ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };
const settings = {
  mode: 'workspace-write' as const,
  cwd: '/w',
  writableRoots: ['/x'],
  networkAccess: true,
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
};
const events = {
  x: exited(1, 0),
  f: exited(1, 3),
  o: output(2, 'bwrap: no \x1b[2J\nsee above', 'stderr'),
  w: output(3, 'later', 'stderr'),
  z: closed(4),
  n: failed(1, 'no bubblewrap'),
  l: failed(1, `\x1b[2J\n${'x'.repeat(1_000_000)}`),
};

/** A sandbox over an executor whose processes have this life. */
const over = (life$: Observable<unknown>, own: Partial<typeof settings> = {}) => {
  const specs: ProcessSpec[] = [];
  const start = (spec: ProcessSpec) => {
    specs.push(spec);
    return life$ as never;
  };
  return { specs, sandbox: sandboxElsewhere({ backend: { start }, envPolicy }, { ...settings, ...own }) };
};

describe('sandboxElsewhere', () => {
  it.each<[string, string, string, object]>([
    ['a sandbox that starts a command', '--x-(z|)', '----(R|)', { kind: 'ready' }],
    ['none', '--(n|)', '--(R|)', { kind: 'missing', remedy: 'on the executor: no bubblewrap' }],
    [
      'one that refuses it with a text that nobody can read',
      '--(l|)',
      '--(R|)',
      { kind: 'missing', remedy: expect.stringMatching(/^on the executor: \\x1b\[2J\\nx{900,1000}…?$/) },
    ],
    [
      'one that fails to start it, as the original does',
      '--f-(z|)',
      '----(R|)',
      { kind: 'missing', remedy: 'on the executor: its sandbox does not start a command (exit code 3)' },
    ],
    [
      'one that says why it fails, whenever it says so',
      '--f(ow)z|',
      '--------(R|)',
      {
        kind: 'missing',
        remedy: 'on the executor: its sandbox does not start a command (exit code 3): bwrap: no \\x1b[2J',
      },
    ],
  ])('tries %s', (_, life, expected, R) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(over(cold(life, events)).sandbox.ready$).toBe(expected, { R });
    })(),
  );

  it('asks the executor for the sandbox of each process, with the policy of its environment', () => {
    const { sandbox, specs } = over(EMPTY);
    const spec = { argv: ['p'], cwd: '/w', env: { A: '1' } };
    sandbox.asSet.start(spec).subscribe();
    sandbox.readOnly.start(spec).subscribe();
    expect(specs).toEqual([
      { ...spec, elsewhere: { envPolicy, sandbox: toExecSandbox(settings) } },
      { ...spec, elsewhere: { envPolicy, sandbox: READ_ONLY } },
    ]);
  });

  it('knows by the paths whom a patch needs to ask', () => {
    const { sandbox } = over(EMPTY);
    const paths = ['/w/a', '/x/a', '/tmp/a', '/wa', '/w/.git/config', '/w/b/.GIT/config', '/w/.codex/x', '/etc/passwd'];
    expect(paths.filter(sandbox.mayWrite)).toEqual(['/w/a', '/x/a', '/tmp/a']);
    expect(sandbox).toMatchObject({ writable: ['/w', '/x', '/tmp'], network: 'open' });
    const readOnly = over(EMPTY, { mode: 'read-only' as never }).sandbox;
    expect(paths.filter(readOnly.mayWrite)).toEqual([]);
    expect(readOnly).toMatchObject({ writable: [], network: 'closed' });
    expect(over(EMPTY, { cwd: '/', writableRoots: [] }).sandbox.writable).toEqual(['/tmp']);
  });
});
