import fc from 'fast-check';
import { labelOf, parseLine, type TapeMessage } from '../../../src/protocol/jsonrpc/parseLine';

const OTHER = { kind: 'other' };
const request = { kind: 'request', id: 1, method: 'm', params: { a: 1 } };

describe('parseLine', () => {
  it.each<[string, string, object[]]>([
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}', [request]],
    ['one without jsonrpc', '{"id":1,"method":"m","params":{"a":1}}', [request]],
    ['a request with the id 0', '{"id":0,"method":"m"}', [{ kind: 'request', id: 0, method: 'm', params: undefined }]],
    ['one with an empty id', '{"id":"","method":"m"}', [{ kind: 'request', id: '', method: 'm', params: undefined }]],
    ['a notification', '{"method":"m","params":[]}', [{ kind: 'notification', method: 'm', params: [] }]],
    ['one with the id null', '{"id":null,"method":"m"}', [{ kind: 'notification', method: 'm', params: undefined }]],
    ['a result', '{"id":1,"result":null}', [{ kind: 'response', id: 1, body: { result: null } }]],
    ['an error', '{"id":1,"error":{"code":1}}', [{ kind: 'response', id: 1, body: { error: { code: 1 } } }]],
    ['an error without id', '{"id":null,"error":{}}', [{ kind: 'response', id: null, body: { error: {} } }]],
    ['a batch', '[{"method":"m"},7]', [{ kind: 'notification', method: 'm', params: undefined }, OTHER]],
    ['an empty batch', '[]', [OTHER]],
    ['an object that is not a message', '{"id":1}', [OTHER]],
    ['a text', '"m"', [OTHER]],
    ['a message of JSON-RPC with a number and a type', '{"jsonrpc":"2.0","seq":1,"type":"event","event":"e"}', [OTHER]],
    ['a number without a type', '{"seq":1,"event":"e"}', [OTHER]],
    [
      'an event of a debug adapter',
      '{"seq":1,"type":"event","event":"e","body":{}}',
      [{ kind: 'notification', method: 'e', params: {} }],
    ],
  ])('reads %s', (_, line, messages) => {
    expect(parseLine(line)).toEqual({ line, value: JSON.parse(line), messages });
  });

  it('keeps an integer that a double cannot hold as it was written', () => {
    const { messages } = parseLine('{"id":9007199254740993,"method":"m"}');
    expect(messages).toEqual([{ kind: 'request', id: 9_007_199_254_740_993n, method: 'm', params: undefined }]);
  });

  it.each([
    ['what is not JSON', '{'],
    ['an empty line', ''],
    ['what nests too deep', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ])('takes %s for one message of no kind', (_, line) => {
    expect(parseLine(line)).toEqual({ line, value: undefined, messages: [OTHER] });
  });

  it('reads what nests 500 deep', () => {
    const line = `${'['.repeat(500)}${' '.repeat(1_000)}${']'.repeat(500)}`;
    expect(parseLine(line).value).toEqual(JSON.parse(line));
  });

  it('throws for no line', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const parsed = parseLine(line);
        expect(parsed.line).toBe(line);
        expect(parsed.messages.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('labelOf', () => {
  it.each<[string, string]>([
    ['{"id":1,"method":"tools/call","params":{"name":"codex"}}', 'tools/call codex'],
    ['{"method":"ready"}', 'ready'],
    ['{"method":"ready","params":{"name":1}}', 'ready'],
    ['{"id":"a","result":{}}', 'the response to a'],
    ['7', 'a line that is not a message'],
  ])('of %s is %s', (line, label) => {
    expect(labelOf(parseLine(line).messages[0])).toBe(label);
  });
});

describe('a message of a debug adapter', () => {
  it.each<[object, TapeMessage]>([
    [
      { seq: 3, type: 'request', command: 'launch', arguments: { program: 'a' } },
      { kind: 'request', id: 3, method: 'launch', params: { program: 'a' } },
    ],
    [
      { seq: 9, type: 'event', event: 'stopped', body: { reason: 'step' } },
      { kind: 'notification', method: 'stopped', params: { reason: 'step' } },
    ],
    [
      { seq: 4, type: 'response', request_seq: 3, success: true, command: 'launch' },
      { kind: 'response', id: 3, body: { result: {} } },
    ],
    [
      { seq: 4, type: 'response', request_seq: 3, success: false, message: 'no', body: {} },
      { kind: 'response', id: 3, body: { error: { message: 'no', body: {} } } },
    ],
    [{ seq: 4, type: 'other' }, { kind: 'other' }],
  ])('is read from %j', (value, message) => {
    expect(parseLine(JSON.stringify(value)).messages).toEqual([message]);
  });
});
