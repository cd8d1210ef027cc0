import { toPlace } from '../../../src/cli/commands/mcp';

describe('toPlace', () => {
  it.each([
    ['/opt/db-mcp', ['s3cret'], '/opt/db-mcp'],
    ['node', ['/srv/mcp.js', 's3cret'], 'node /srv/mcp.js'],
    ['/usr/bin/node', ['/srv/mcp.js'], '/usr/bin/node /srv/mcp.js'],
    ['npx', ['-y', '@scope/mcp', '--token', 's3cret'], 'npx -y @scope/mcp'],
    ['npx.cmd', ['some-mcp'], 'npx.cmd some-mcp'],
    ['python', ['-m', 'mcp_server'], 'python -m mcp_server'],
    ['docker', ['run', '-i', '--rm', 'mcp/fetch'], 'docker run -i --rm mcp/fetch'],
    ['npx', ['git+https://user:s3cret@host/mcp'], 'npx git+https://host/mcp'],
  ])('shows of %s %j what it runs', (command, args, place) => expect(toPlace(command, args)).toBe(place));

  it.each([
    ['docker', ['run', '-e', 'TOKEN=s3cret', 'mcp/fetch']],
    ['node', ['--require', 's3cret', 'mcp.js']],
    ['npx', ['-y']],
    ['node', []],
  ])('shows nothing after an option that may have a value: %s %j', (command, args) =>
    expect(toPlace(command, args)).toBe(command),
  );
});
