import { mcp } from '../../../src/cli/commands/mcp';
import { givenBy, problemBy } from '../reading';

describe('mcp', () => {
  it.each([
    [['list', '--json'], { action: 'list', json: true }],
    [['login', 'docs', '--scope', 'a', '--scope', 'b'], { action: 'login', name: 'docs', scope: ['a', 'b'] }],
    [['logout', 'docs', '-c', 'x=1'], { action: 'logout', name: 'docs', config: ['x=1'] }],
  ])('accepts %j', (argv, given) => expect(givenBy(mcp, ...argv)).toMatchObject(given));

  it.each([
    [['add', 'x'], /^ACTION must be list, login or logout; it is add$/],
    [['login'], /^login needs the name of a server$/],
    [['logout'], /^logout needs the name of a server$/],
    [['list', 'x'], /^list takes no name$/],
    [['login', 'x', '--json'], /^--json is for: mcp list$/],
    [['logout', 'x', '--scope', 'a'], /^--scope is for: mcp login$/],
  ])('refuses %j', (argv, problem) => expect(problemBy(mcp, ...argv)).toMatch(problem));
});
