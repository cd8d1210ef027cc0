import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { differingValues, hideMadeUp, withClientValues } from '../../../src/tapes/replayServer/clientValues';

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

const UUID = '0a1b2c3d-0000-4000-8000-000000000001';

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const RANDOM = 'req_9fK2mQ8xT1';

describe('hideMadeUp', () => {
  it('hides UUIDs, ULIDs and times anywhere', () => {
    expect(hideMadeUp(new Map(), { params: { a: `at ${UUID}, ${ULID}`, b: ['2026-11-22T16:46:05Z'] } })).toEqual({
      params: { a: 'at <uuid>, <id>', b: ['<time>'] },
    });
  });

  it('hides random words in members for ids only', () => {
    expect(
      hideMadeUp(new Map(), { result: { id: RANDOM, traceId: '0a1b2c3d4e5f6a7b', revision: RANDOM, ref: UUID } }),
    ).toEqual({
      result: { id: '<id>', traceId: '<id>', revision: RANDOM, ref: '<uuid>' },
    });
  });

  it.each(['ABC-123', 'report-2024a', 'weather', 'gpt-5.1-codex', 'issue-4711', 'user_42'])('keeps the id %s', (id) => {
    expect(hideMadeUp(new Map(), { params: { id } })).toEqual({ params: { id } });
  });

  it('keeps what the server issued, also in a text, and numbers', () => {
    const handles = new Map([UUID, ULID, RANDOM].map((key, id) => [key, { id, origin: '0' }]));
    const message = { params: { id: RANDOM, of: UUID, text: `in ${UUID} or ${ULID}`, count: 4711 } };
    expect(hideMadeUp(handles, message)).toEqual(message);
  });
});
