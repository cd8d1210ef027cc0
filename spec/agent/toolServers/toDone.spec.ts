import { failed, toDone } from '../../../src/agent/toolServers/callTool';

describe('toDone', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'a' }] }, '[{"type":"text","text":"a"}]'],
    [{ structuredContent: { a: 1 }, content: [] }, '{"a":1}'],
    [{}, '[]'],
    [{ isError: true, content: [1] }, 'tool call error: [1]'],
    [{ isError: 'no' }, '[]'],
    [{ content: 'none' }, '"none"'],
    [
      { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(4_000) }] },
      '[{"type":"image","mimeType":"image/png","data":"(3000 bytes, left out)"}]',
    ],
    [
      { content: [{ type: 'resource', resource: { uri: 'u', blob: 'A'.repeat(4_000) } }] },
      '[{"type":"resource","resource":{"uri":"u","blob":"(3000 bytes, left out)"}}]',
    ],
    [
      {
        content: [
          { type: 'resource', resource: { uri: 'u', text: 't' } },
          { type: 'audio', data: 'AAAA' },
        ],
      },
      '[{"type":"resource","resource":{"uri":"u","text":"t"}},{"type":"audio","data":"AAAA"}]',
    ],
  ])('of %j', (result, text) => {
    expect(toDone(result)).toEqual({ kind: 'done', result: { Ok: result }, text });
  });
});

describe('failed', () => {
  it('has the reason for the caller and for the model', () => {
    expect(failed('why')).toEqual({ kind: 'done', result: { Err: 'why' }, text: 'tool call error: why' });
  });
});
