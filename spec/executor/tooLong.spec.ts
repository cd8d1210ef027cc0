import { toTooLong } from '../../src/executor/readMessages';

const LONG = 'x'.repeat(2_000);
const error = (id: unknown) => [
  { kind: 'response', id, error: { code: -32603, message: expect.stringContaining('longer than 99 characters') } },
];

describe('toTooLong', () => {
  it.each<[string, string, unknown]>([
    ['a response whose id comes first', `{"jsonrpc":"2.0","id":7,"result":{"content":"${LONG}`, error(7)],
    ['one with blanks', `{ "jsonrpc": "2.0", "id": "a", "result": {"content":"${LONG}`, error('a')],
    ['one whose id comes last', `{"result":{"content":"${LONG}"}]},"jsonrpc":"2.0","id":8}`, error(8)],
    ['the id of the response, not that of its result', `{"id":7,"result":{"x":"${LONG}","id":8}`, error(7)],
    ['a notification', `{"jsonrpc":"2.0","method":"notifications/message","params":{"x":"${LONG}`, []],
    ['a request', `{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"x":"${LONG}`, []],
    ['what is no message', LONG, [{ kind: 'gap' }]],
    ['a response whose id is nowhere', `{"result":{"content":"${LONG}"},"id":7,"x":"${LONG}`, [{ kind: 'gap' }]],
  ])('knows %s', (_, line, expected) => {
    expect(toTooLong(line, 99)).toEqual(expected);
  });
});
