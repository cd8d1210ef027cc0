import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { faceOf } from '../../../../src/server/faces/faceOf';
import { isToken, reply, serverMeta } from '../../../../src/server/mcp/methods/method';

describe('reply', () => {
  it('answers a request with ready-made text, in its batch', () => {
    const batch = { size: 2 };
    const request: Request = { kind: 'request', id: 1, method: 'm', params: {}, batch };
    expect(reply(request, '{}')).toEqual({ kind: 'response', id: 1, batch, json: '{}' });
  });
});

describe('serverMeta', () => {
  it('names the server', () => {
    const face = faceOf('union', '0.1.0');
    expect(serverMeta(face)).toEqual({ 'io.modelcontextprotocol/serverInfo': face.serverInfo });
  });
});

describe('isToken', () => {
  it.each([
    ['', true],
    ['a', true],
    [0, true],
    [1n, true],
    [1.5, true],
    [null, false],
    [undefined, false],
    [true, false],
    [{}, false],
  ])('of %p is %j', (token, expected) => {
    expect(isToken(token)).toBe(expected);
  });
});
