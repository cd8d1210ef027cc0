import { failed, toDone } from '../../src/toolServers/toDone';

describe('toDone', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'a' }] }, '[{"type":"text","text":"a"}]'],
    [{ structuredContent: { a: 1 }, content: [] }, '{"a":1}'],
    [{}, '[]'],
    [{ isError: true, content: [1] }, 'tool call error: [1]'],
    [{ isError: 'no' }, '[]'],
  ])('of %j', (result, text) => {
    expect(toDone(result)).toEqual({ kind: 'done', result: { Ok: result }, text });
  });
});

describe('failed', () => {
  it('has the reason for the caller and for the model', () => {
    expect(failed('why')).toEqual({ kind: 'done', result: { Err: 'why' }, text: 'tool call error: why' });
  });
});
