import { conform } from '../../../src/cli/commands/conform';
import { givenBy, problemBy } from '../reading';

describe('conform', () => {
  it('takes the command of a server, and what to check of it', () => {
    expect(
      givenBy(conform, '--revision', '2025-11-25', '--level', 'MUST', '--tool', 'echo', '--', 'node', 'server.js'),
    ).toMatchObject({
      revision: ['2025-11-25'],
      level: ['MUST'],
      tool: ['echo'],
      arguments: [],
      report: 'text',
      command: ['node', 'server.js'],
    });
    expect(givenBy(conform, '--url', 'http://127.0.0.1:3000/mcp')).toMatchObject({ command: [] });
    expect(givenBy(conform, '--protocol', 'acp', '--prompt', 'hi', '--', 'node', 'agent.js')).toMatchObject({
      protocol: ['acp'],
      prompt: ['hi'],
    });
    expect(givenBy(conform, '--list')).toMatchObject({ list: true });
  });

  it.each([
    [[], /^There is no server to check/],
    [['--url', 'http://h/m', '--', 'node'], /^--url goes without a command/],
    [['--url', 'ftp://h/m'], /^--url must be http/],
    [['--tool', 'x', '--arguments', '[1]', '--', 'node'], /^--arguments must be a JSON object/],
    [['--arguments', '{"a":1}', '--', 'node'], /^--arguments goes with --tool/],
    [['--prompt', 'hi', '--', 'node'], /^--prompt goes with --protocol acp/],
    [['--protocol', 'acp', '--tool', 'x', '--', 'node'], /^--protocol acp goes without/],
    [['--only', 'tols-*', '--', 'node'], /^No case is of this --only/],
    [['--list', '--only', 'batch', '--revision', '2025-11-25'], /^No case is of this --only/],
    [['--revision', '1999-01-01', '--', 'node'], /^--revision must be 2024-11-05/],
  ])('refuses %j', (argv, text) => {
    expect(problemBy(conform, ...argv)).toMatch(text);
  });
});
