import { limitPermissions, type Permissions, pinPermissions } from '../../../src/executor/sandbox/permissions';
import type { Roots } from '../../../src/executor/sandbox/pinRoots';
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
