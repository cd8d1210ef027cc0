import { toRemark } from '../../../src/io/mcpClient/clientStreams';

const at = { name: 'S', url: 'https://x/mcp' };
type Part = Parameters<typeof toRemark>[1];

describe('toRemark', () => {
  it.each<[string, Part, object]>([
    ['a status', { kind: 'failed', status: 500 }, { line: 'HTTP 500 of S', status: 500 }],
    [
      'a redirect on the same host',
      { kind: 'failed', status: 307, location: '/mcp/' },
      { line: 'HTTP 307 of S, which leads to https://x/mcp/', status: 307 },
    ],
    [
      'a redirect with secrets in it',
      { kind: 'failed', status: 302, location: 'https://u:p@y/s/0a1b2c3d4e5f6a7b/login?token=t#f' },
      { line: 'HTTP 302 of S, which leads to https://y/s/[redacted]/login', status: 302 },
    ],
    [
      'a redirect to no address',
      { kind: 'failed', status: 302, location: 'http://' },
      { line: 'HTTP 302 of S', status: 302 },
    ],
    [
      'what a server wants',
      { kind: 'failed', status: 401, challenge: 'Bearer' },
      { line: 'HTTP 401 of S', status: 401, challenge: 'Bearer' },
    ],
    [
      'a web page',
      { kind: 'failed', status: 200, type: 'text/html' },
      { line: 'S answers with text/html, not with a message; see its path' },
    ],
    [
      'requests without a response',
      { kind: 'unanswered', requests: [1] },
      {
        line: 'S has ended its response without a result; see its log, and the limits of any proxy in front of it',
        requests: [1],
      },
    ],
    [
      'a connection that broke',
      { kind: 'unanswered', requests: [1, 'a'], cause: 'closed' },
      {
        line: 'S has ended its response without a result (closed); see its log, and the limits of any proxy in front of it',
        requests: [1, 'a'],
      },
    ],
  ])('names %s', (_, part, event) => {
    expect(toRemark(at, part)).toEqual({ kind: 'log', ...event });
  });
});
