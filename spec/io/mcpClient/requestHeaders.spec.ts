import { postHeaders, sessionHeaders } from '../../../src/io/mcpClient/clientMemory';

const BASE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const call = (name: string) =>
  JSON.stringify({
    id: 1,
    method: 'tools/call',
    params: { name, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
  });

describe('postHeaders', () => {
  it('has the session and the revision of a session', () => {
    expect(sessionHeaders({})).toEqual({});
    expect(
      postHeaders({ id: 's', version: '2025-11-25' }, '{"id":1,"method":"tools/call","params":{"name":"a"}}'),
    ).toEqual({
      ...BASE,
      'mcp-session-id': 's',
      'mcp-protocol-version': '2025-11-25',
    });
  });

  it.each([
    ['add', 'add'],
    ['a b', 'a b'],
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' a', '=?base64?IGE=?='],
    ['', '=?base64??='],
  ])('repeats what a request of 2026-07-28 states: %j as %s', (name, header) => {
    expect(postHeaders({}, call(name))).toEqual({
      ...BASE,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': header,
    });
  });
});
