import { diagram } from '../../../src/cli/commands/diagram';
import { givenBy, problemBy } from '../reading';

describe('diagram', () => {
  it.each(['x.svg', 'a/b.html'])('draws into %s', (out) => {
    expect(givenBy(diagram, 't', '-o', out, '-w', '100')).toMatchObject({ file: 't', out, width: 100 });
  });

  it.each([
    [['t', '--width', '29'], '--width must be a number from 30'],
    [['t', '-o', 'tape.jsonl'], '--out must be a file that ends with .svg or .html'],
    [['t', '-o', '.svg'], '--out must be a file that ends with .svg or .html'],
    [['t', '--axis', 'y'], /^--axis must be .*; it is y$/],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(diagram, ...argv)).toMatch(problem);
  });
});
