import { toServerLines } from '../../../src/cli/commands/mcp';

describe('toServerLines', () => {
  it('has columns, also where a character takes two of a terminal', () => {
    const servers = [
      { name: 'docs', login: 'logged in', place: 'https://h/mcp' },
      { name: '文書', login: '-', place: 'node /srv/mcp.js' },
      { name: 'a', login: 'none', place: 'https://g/mcp' },
    ] as const;
    expect(toServerLines(servers)).toEqual([
      'docs  logged in  https://h/mcp',
      '文書  -          node /srv/mcp.js',
      'a     none       https://g/mcp',
    ]);
  });

  it('lets nothing command the terminal, and counts what is shown instead', () => {
    const servers = [
      { name: '\u001b', login: '-', place: 'a\u202eb' },
      { name: 'abcdefgh', login: '-', place: 'c' },
    ] as const;
    expect(toServerLines(servers)).toEqual(['\\u001b    -          a\\u202eb', 'abcdefgh  -          c']);
  });

  it('has no line without a server', () => {
    expect(toServerLines([])).toEqual([]);
  });
});
