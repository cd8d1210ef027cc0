import { COMMANDS } from '../../src/cli/commands';
import { completionScript, SHELLS, toShortPage } from '../../src/cli/help';

describe('the short page', () => {
  it('has each command once', () => {
    const names = [...toShortPage(100).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
  });

  it.each([40, 80, 100])('fits %d columns', (width) => {
    expect(
      toShortPage(width)
        .split('\n')
        .filter((line) => line.length > width),
    ).toEqual([]);
  });
});

describe('completionScript', () => {
  it('is that of the named shell, else of the shell of the user, else of bash', () => {
    expect(SHELLS).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(completionScript('fish', '/bin/zsh')).toMatch(/^# fish/);
    expect(completionScript(undefined, '/bin/zsh')).toMatch(/^#compdef/);
    expect(completionScript(undefined, '/bin/csh')).toMatch(/^# bash/);
    expect(completionScript('toString')).toBeUndefined();
  });
});
