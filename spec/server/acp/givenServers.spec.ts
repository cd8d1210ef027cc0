import { toTables } from '../../../src/server/acp/givenServers';

describe('the servers of a client', () => {
  it.each<[string, string, { name: string; value: string }[], RegExp, ('http' | 'sse')?]>([
    ['by SSE', 'https://a', [], /^Invalid params: the MCP server old is reached by SSE/, 'sse'],
    ['at a file', 'file:///etc/passwd', [], /old needs an address that begins with https/],
    ['at no address', 'docs', [], /old needs an address/],
    ['with a header in two lines', 'https://a', [{ name: 'X', value: 'a\r\nB: c' }], /old has a header/],
    ['with a header of no name', 'https://a', [{ name: 'X Y', value: 'a' }], /old has a header/],
  ])('are none that would be reached %s', (_, url, headers, reason, type = 'http') =>
    expect(() => toTables([{ type, name: 'old', url, headers }])).toThrow(reason),
  );

  it('keep names of their own that become the same', () => {
    const servers = [
      { name: 'a b', command: '/1' },
      { name: 'a_b', command: '/2' },
      { name: '…', command: '/3' },
    ];
    expect(toTables(servers)).toMatchObject({
      a_b: { command: '/1' },
      a_b_2: { command: '/2' },
      _: { command: '/3' },
    });
  });
});
