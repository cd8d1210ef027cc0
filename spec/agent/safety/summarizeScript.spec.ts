import { summarizeScript } from '../../../src/agent/safety/parseCommand';

/** The commands of a script, which are joined as given. */
const summariesOf = (script: string, ...commands: string[]) =>
  summarizeScript(
    script,
    commands.map((one) => one.split(' ').map((text) => ({ text, raw: text }))),
  ).map(({ type, cmd }) => `${type}: ${cmd}`);

describe('summarizeScript', () => {
  it.each<[string, string[], string[]]>([
    ['ls', ['ls'], ['list_files: ls']],
    ['npm test && ls', ['npm test', 'ls'], ['unknown: npm test', 'list_files: ls']],
    ['cat a | wc -l', ['cat a', 'wc -l'], ['read: cat a']],
    ['cat a | head', ['cat a', 'head'], ['read: cat a']],
    ['cat a | tail -n', ['cat a', 'tail -n'], ['read: cat a']],
    ['head -n 5 a', ['head -n 5 a'], ['read: head -n 5 a']],
    ['ls | sed s/a/b/', ['ls', 'sed s/a/b/'], ['list_files: ls']],
    ['cat a | sed -n 1,5p', ['cat a', 'sed -n 1,5p'], ['read: cat a | sed -n 1,5p']],
    ['npm test || true', ['npm test', 'true'], ['unknown: npm test']],
    ['true', ['true'], ['unknown: true']],
    ['wc -l | sort', ['wc -l', 'sort'], ['unknown: wc -l | sort']],
  ])('of %s', (script, commands, expected) => {
    expect(summariesOf(script, ...commands)).toEqual(expected);
  });
});
