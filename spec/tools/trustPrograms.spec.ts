import type { Trust } from '../../src/safety';
import { trustPrograms } from '../../src/tools';
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
