import type { Trust } from '../../../src/agent/safety/readTrust';
import { needsSandbox, trustPrograms } from '../../../src/agent/tools/trustPrograms';
import { settingsOf } from './support';

const asked: unknown[] = [];
const deps = {
  environmentOf: () => ({ PATH: '/bin' }),
  workspaceProgram: (names: readonly string[], ...rest: unknown[]) => {
    asked.push([names, ...rest]);
    return names.find((name) => name === 'cat');
  },
};
const trust = (argv: readonly string[], given: Trust) =>
  trustPrograms(deps, { environment: settingsOf().environment, folder: '/w', cwd: '/w/in' })(argv, given);
const trusted = (...commands: string[][]): Trust => ({ trusted: true, commands });

describe('trustPrograms', () => {
  beforeEach(() => void asked.splice(0));

  it('asks about the program and about each command of its script, once, in the folders of the thread and the command', () => {
    const given = trusted(['ls', 'a'], ['ls', 'b'], ['head']);
    expect(trust(['bash', '-lc', 'ls a; ls b | head'], given)).toBe(given);
    expect(asked).toEqual([[['bash', 'ls', 'head'], '/bin', ['/w', '/w/in']]]);
  });

  it('takes the trust from a command of which only the workspace has the program', () => {
    const why = 'PATH finds cat only in the workspace';
    expect(trust(['cat', 'x'], trusted(['cat', 'x']))).toEqual({ trusted: false, why });
    expect(trust(['bash', '-lc', 'ls | cat'], trusted(['ls'], ['cat']))).toEqual({ trusted: false, why });
  });

  it('leaves a command that is not trusted as it is', () => {
    const given: Trust = { trusted: false, why: 'it writes' };
    expect([trust(['make'], given), asked]).toEqual([given, []]);
  });
});

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
