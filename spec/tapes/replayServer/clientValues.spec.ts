import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { differingValues, withClientValues } from '../../../src/tapes/replayServer/clientValues';

const messageOf = (message: object) => parseLine(JSON.stringify(message)).messages[0];
const call = (args: unknown) => messageOf({ id: 1, method: 'tools/call', params: { name: 'a', arguments: args } });

describe('differingValues', () => {
  it('finds texts that can be recognised elsewhere', () => {
    const [before, now] = [
      call({ key: 'key-12345678', list: ['aaaa-0001', 'x'], short: 'a1', words: 'no digits here', same: 'same-0001' }),
      call({ key: 'key-87654321', list: ['bbbb-0002', 'y'], short: 'b2', words: 'other words', same: 'same-0001' }),
    ];
    expect(differingValues(before, now)).toEqual([
      { recorded: 'key-12345678', now: 'key-87654321' },
      { recorded: 'aaaa-0001', now: 'bbbb-0002' },
    ]);
    const [yes, other] = ['id-1234567', 'id-7654321'].map((id) => messageOf({ id: 1, result: { id } }));
    expect(differingValues(yes, other)).toEqual([{ recorded: 'id-1234567', now: 'id-7654321' }]);
  });

  it('finds nothing in a handshake, in messages of other kinds, and where one is missing', () => {
    const initialize = (version: string) => messageOf({ id: 1, method: 'initialize', params: { version } });
    expect(differingValues(initialize('1.0.0-beta.1'), initialize('1.0.0-beta.2'))).toEqual([]);
    expect(differingValues(call({ a: 'aaaaaaa1' }), messageOf({ id: 1, result: { a: 'bbbbbbb1' } }))).toEqual([]);
    expect(differingValues(undefined, call({}))).toEqual([]);
  });
});

describe('withClientValues', () => {
  it('writes the values of this run, also where JSON escapes them', () => {
    const line = JSON.stringify({ result: { text: 'for "a\\1234567"', id: 'a\\1234567' } });
    expect(JSON.parse(withClientValues(line, [{ recorded: 'a\\1234567', now: '$&"9' }]))).toEqual({
      result: { text: 'for "$&"9"', id: '$&"9' },
    });
    expect(withClientValues(line, [])).toBe(line);
  });
});
