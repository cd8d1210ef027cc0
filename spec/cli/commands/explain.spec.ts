import { explain } from '../../../src/cli/commands/explain';
import { givenBy, problemBy } from '../reading';

describe('explain', () => {
  it('takes a command, or a script', () => {
    expect(givenBy(explain, '--json', '--', 'rm', '-r', 'x')).toMatchObject({ json: true, command: ['rm', '-r', 'x'] });
    expect(givenBy(explain, '--script', 'ls | wc')).toMatchObject({ script: 'ls | wc', command: [] });
  });

  it.each([
    [[], 'Give a command after --, or --script TEXT'],
    [['--script', 'ls', '--', 'ls'], 'Give --script or a command after --, not both'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(explain, ...argv)).toBe(problem);
  });
});
