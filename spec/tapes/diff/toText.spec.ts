import { toText } from '../../../src/tapes/diff/toText';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const session = (id: number, t: number, at: string) =>
  sessionFrom(
    [t, 'in', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a' } }],
    [2 * t, 'out', { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `{"at":"${at}"}` }] } }],
    [3 * t, 'exit', { code: 0, sig: null }],
  );

describe('toText', () => {
  it('is the same for two runs that are the same', () => {
    const text = toText(toSessionIndex(session(1, 5, '2026-01-01T00:00:00Z')));
    expect(text).toEqual(toText(toSessionIndex(session(7, 9, '2027-02-02T02:02:02Z'))));
    expect(text.join('\n')).toBe(`> tools/call a
  {
    "params": {
      "name": "a"
    }
  }
< the response to tools/call a
  {
    "result": {
      "content": [
        {
          "type": "text",
          "text": {
            "json": {
              "at": "<time>"
            }
          }
        }
      ]
    }
  }
exit {"code":0,"sig":null}`);
  });

  it('has no line that a name makes, which could pass for a message, or for a command to a runner of CI', () => {
    const name = 'a\r\n::error::b\n> tools/call c';
    const forged = sessionFrom(
      [1, 'in', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }],
      [2, 'out', { jsonrpc: '2.0', id: 1, result: {} }],
      [3, 'out', { jsonrpc: '2.0', method: name }],
    );
    const shown = String.raw`a\r\n::error::b\n> tools/call c`;
    expect(toText(toSessionIndex(forged)).filter((line) => !line.startsWith('  '))).toEqual([
      `> tools/call ${shown}`,
      `< the response to tools/call ${shown}`,
      `< ${shown}`,
    ]);
  });
});
