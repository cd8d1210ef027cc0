import { of } from 'rxjs';
import type { Backend } from '../../../src/executor/backend';
import {
  limitPermissions,
  type Permissions,
  type PermittedDeps,
  permittedBackend,
  pinPermissions,
} from '../../../src/executor/sandbox/permissions';
import type { Roots } from '../../../src/executor/sandbox/pinRoots';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { startsInTurns } from '../../../src/streams/pausing';
import { ownersOf } from '../../support/files';
import { marbles } from '../../support/marbles';
import { memoryFiles } from './memoryFiles';

const allowed = (roots: Partial<Roots> = {}, own: Partial<Permissions> = {}): Permissions => ({
  roots: { workspace: [], temporary: [], ...roots },
  readOnly: [],
  ifThere: [],
  denied: [],
  network: 'open',
  ...own,
});

describe('pinPermissions', () => {
  const files = memoryFiles({ '/w': null, '/l': { link: '/w' }, '/t': null, '/w/t': null });

  it('resolves the roots, and leaves out what is not there', () => {
    const asked = allowed({ workspace: ['/l', '/w', '/gone'], temporary: ['/w/t', '/t', '/'] });
    expect(pinPermissions({ files, closed: [], secrets: () => [], homes: [] }, asked)).toEqual(
      allowed({ workspace: ['/w'], temporary: ['/t', '/'] }),
    );
  });

  it('keeps what is there', () => {
    const { readOnly, ifThere } = pinPermissions(
      { files, closed: [], secrets: () => [], homes: [] },
      allowed({}, { readOnly: ['/a'], ifThere: ['/w/t', '/w/u'] }),
    );
    expect({ readOnly, ifThere }).toEqual({ readOnly: ['/a', '/w/t'], ifThere: [] });
  });

  it('throws for a root that may not be read', () => {
    expect(() =>
      pinPermissions(
        { files, closed: [], secrets: () => [], homes: [] },
        allowed({ workspace: ['/w/t'] }, { denied: ['/l'] }),
      ),
    ).toThrow('/w/t may be written, but lies in a path that may not be read');
  });
});

describe('limitPermissions', () => {
  const most = allowed({ workspace: ['/w', '/v'], temporary: ['/tmp'] });
  const mayWrite = (real: string) => !real.endsWith('/.git');
  const limited = (asked: Permissions, permissions = most) => limitPermissions({ permissions, mayWrite }, asked).roots;

  it.each<[string, Partial<Roots>, Roots]>([
    ['a root of both', { workspace: ['/w'] }, { workspace: ['/w'], temporary: [] }],
    ['roots in what is asked', { workspace: ['/'] }, { workspace: ['/w', '/v', '/tmp'], temporary: [] }],
    ['everything', { temporary: ['/'] }, { workspace: ['/w', '/v'], temporary: ['/tmp'] }],
    ['temporary folders', { temporary: ['/tmp', '/t'] }, { workspace: [], temporary: ['/tmp'] }],
    ['nothing outside', { workspace: ['/x', '/w2'] }, { workspace: [], temporary: [] }],
    ['nothing that is protected', { workspace: ['/w/.git'] }, { workspace: [], temporary: [] }],
  ])('leaves %s', (_, asked, expected) => {
    expect(limited(allowed(asked))).toEqual(expected);
  });

  it('refuses a folder in a root, which another process could replace by a link', () => {
    expect(() => limited(allowed({ workspace: ['/w/a'] }))).toThrow(
      '/w/a lies inside the root /w: work in /w, or start the exec-server with --root /w/a instead',
    );
  });

  it('keeps what either takes away', () => {
    const one = allowed({}, { readOnly: ['/a'], denied: ['/b'], network: 'closed' });
    const other = allowed({}, { readOnly: ['/c'], denied: ['/d'] });
    const both = { readOnly: ['/a', '/c'], denied: ['/b', '/d'], network: 'closed' };
    expect(limitPermissions({ permissions: one, mayWrite }, other)).toMatchObject(both);
    expect(limitPermissions({ permissions: other, mayWrite }, one).network).toBe('closed');
  });
});

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
