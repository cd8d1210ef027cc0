import { pinFolders } from '../../../src/settings/limits/limitFiles';
import { config } from '../../agent/support';

const LINKS: Record<string, string> = {
  '/home/link': '/srv/site',
  '/w/out': '/etc',
  '/w/out/sub': '/etc/sub',
  '/w/in': '/w/sub',
  '/root/w': '/etc',
};

const pinned = (
  cwd: string,
  writableRoots: string[],
  sandboxMode: 'workspace-write' | 'read-only' = 'workspace-write',
) =>
  pinFolders(
    { realpath: (path) => LINKS[path] ?? path, isDirectory: (path) => !path.endsWith('/none') },
    config({ cwd, sandboxMode, workspaceWrite: { ...config().workspaceWrite, writableRoots } }),
  );

describe('pinFolders', () => {
  it('finds where the folder and the roots lead, but for roots that are not there', () => {
    expect(pinned('/home/link', ['/v', '/w/none', '/home/link'])).toEqual({ '/home/link': '/srv/site', '/v': '/v' });
  });

  it('leaves out roots if nothing may be written', () => {
    expect(pinned('/w', ['/w/out'], 'read-only')).toEqual({ '/w': '/w' });
  });

  it('takes a folder in another, and a link in it that stays in it', () => {
    expect(pinned('/w', ['/w/sub', '/w/in'])).toEqual({ '/w': '/w', '/w/sub': '/w/sub', '/w/in': '/w/sub' });
  });

  it.each([
    ['/w', ['/w/out'], '/w/out leads to /etc by a link in /w'],
    ['/w', ['/w/out/sub'], '/w/out/sub leads to /etc/sub by a link in /w'],
    ['/root/w', ['/root'], '/root/w leads to /etc by a link in /root'],
  ])('throws for a link in one that leads out of it: %s and %s', (cwd, roots, words) => {
    expect(() => pinned(cwd, roots)).toThrow(
      `${words}, which is writable too, so that a command could have made the link; if it is right, name /etc`,
    );
  });
});
