import { of } from 'rxjs';
import type { Backend } from '../../../src/executor/backend';
import type { Permissions } from '../../../src/executor/sandbox/permissions';
import { type PermittedDeps, permittedBackend } from '../../../src/executor/sandbox/permittedBackend';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { startsInTurns } from '../../../src/streams/pausing';
import { ownersOf } from '../../support/files';
import { marbles } from '../../support/marbles';
import { memoryFiles } from './memoryFiles';

const spec: ProcessSpec = { argv: ['ls'], cwd: '/w', env: {} };
const X: ProcessEvent = { kind: 'exited', seq: 1, exitCode: 0 };
const Z: ProcessEvent = { kind: 'closed', seq: 2 };

const permitting = (own: Partial<PermittedDeps> = {}) => {
  const started: string[] = [];
  const backend: Backend = {
    start: ({ argv }) => {
      started.push(argv.join(' '));
      return of(X, Z);
    },
  };
  const permit = permittedBackend({
    backend,
    find: (name) => (name === 'bwrap' ? '/usr/bin/bwrap' : undefined),
    holdBytes: () => ({ path: '/kept', release: () => {} }),
    mountTable: () => '1 1 8:1 / / rw - ext4 /dev/sda rw',
    pinPath: () => ({ path: '/pinned', opens: true, release: () => {} }),
    platform: 'linux',
    arch: 'x64',
    files: memoryFiles({ '/w': null, '/w/.git': null, '/w/.codex': null, '/w/a': null, '/v': null }),
    own: [],
    closed: [],
    secrets: () => [],
    homes: [],
    sparse: () => [],
    id: '7-id',
    owners: () => ownersOf({ pid: 7, start: 'a', host: 'here' }, { 7: 'a' }),
    watch: () => () => {},
    cannotRun: () => undefined,
    later: (action) => action(),
    starts: startsInTurns({ now: () => 0, soon: setImmediate }),
    log: () => {},
    ...own,
  })(backend);
  return { permit, started };
};

const writing = (workspace: string[], own: Partial<Permissions> = {}): Permissions => ({
  roots: { workspace, temporary: [] },
  readOnly: [],
  ifThere: [],
  denied: [],
  network: 'open',
  ...own,
});

describe('permittedBackend', () => {
  it.each<[string, Permissions | undefined, Permissions | undefined, RegExp]>([
    ['runs a process as it is', undefined, undefined, /^ls$/],
    [
      'runs it with its permissions',
      undefined,
      writing(['/v']),
      /--bind \/proc\/self\/fd\/6 \/v .* --chdir \/w -- .* ls$/s,
    ],
    ['runs it below the ceiling', writing(['/w']), undefined, /--bind \/proc\/self\/fd\/6 \/w .* -- .* ls$/s],
    [
      'runs it with what both allow',
      writing(['/w']),
      writing(['/v', '/w']),
      /\/proc --bind \/proc\/self\/fd\/6 \/w .* -- .* ls$/s,
    ],
    ['lets nothing lift the ceiling', writing([]), writing(['/w', '/v']), /\/proc --chdir \/w -- (?:.* )?ls$/],
  ])('%s', (_, ceiling, asked, expected) => {
    const { permit, started } = permitting({ ceiling });
    marbles(({ expectObservable, flush }) => {
      expectObservable(permit(asked).start(spec)).toBe('(xz|)', { x: X, z: Z });
      flush();
    })();
    expect(started.at(-1)).toMatch(expected);
  });

  it('fails the start if the permissions contradict each other', () => {
    const { permit, started } = permitting();
    const reason = 'the sandbox could not be made: /w/a may be written, but lies in a path that may not be read';
    marbles(({ expectObservable }) => {
      expectObservable(permit(writing(['/w/a'], { denied: ['/w'] })).start(spec)).toBe('(f|)', {
        f: { kind: 'failed', seq: 1, reason },
      });
    })();
    expect(started).toEqual([]);
  });
});
