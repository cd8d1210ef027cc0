import type { Trust } from '../../src/safety';
import { needsSandbox } from '../../src/tools/needsSandbox';
import { settingsOf } from './support';

const READS: Trust = { trusted: true, commands: [['ls']] };
const LOGIN = ['bash', '-lc', 'ls'];
const PLACE = { environment: settingsOf().environment, folder: '/w', cwd: '/w/in' };

/** What the workspace `/w` has of a home: by a name in it, or by a link that leads there. */
const needs = (env: Record<string, string>, ofWorkspace: string[] = [], argv = LOGIN, trust: Trust = READS) =>
  needsSandbox(
    {
      environmentOf: () => env,
      showsSecrets: () => false,
      trustedPath: (path, workspace) => (ofWorkspace.includes(path) && workspace.join() === '/w,/w/in' ? '' : path),
    },
    { argv, trust, folders: [] },
    PLACE,
  );

describe('needsSandbox', () => {
  it('holds for a login shell whose home is in the workspace, or whose profile leads there', () => {
    expect(needs({ HOME: '/w' }, ['/w'])).toBe(true);
    for (const name of ['.bash_profile', '.bash_login', '.profile', '.bashrc']) {
      expect(needs({ HOME: '/home/u' }, [`/home/u/${name}`])).toBe(true);
    }
    expect(needs({ HOME: '/home/u' }, ['/home/u/.zshrc'])).toBe(false);
  });

  it('holds for a login shell that takes its home from the system', () => {
    expect([needs({}), needs({ HOME: '' })]).toEqual([true, true]);
  });

  it('does not hold for a command without a shell, or one that is not trusted anyway', () => {
    expect(needs({ HOME: '/w' }, ['/w'], ['ls'])).toBe(false);
    expect(needs({ HOME: '/w' }, ['/w'], LOGIN, { trusted: false, why: 'it writes' })).toBe(false);
  });
});
