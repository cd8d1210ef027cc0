import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import {
  namesOf,
  referencesOf,
  renameRequests,
  withoutRequestNames,
  withRequestId,
} from '../../../src/protocol/jsonrpc/requestNames';

const parsed = (value: unknown) => parseLine(JSON.stringify(value));
const messageOf = (value: unknown) => {
  const [message] = parsed(value).messages;
  if (message === undefined) throw new Error('no message');
  return message;
};
const renamed = (value: unknown): unknown => {
  const renamings = [
    { by: 'id', recorded: 1, now: 'one' },
    { by: 'token', recorded: 1, now: 8 },
  ] as const;
  return JSON.parse(renameRequests(parsed(value), renamings));
};

describe('namesOf', () => {
  it.each<[string, object, unknown]>([
    ['a request has its id', { id: 1, method: 'go' }, [{ by: 'id', name: 1 }]],
    [
      'a request with a progress token has both',
      { id: '', method: 'go', params: { _meta: { progressToken: 0 } } },
      [
        { by: 'id', name: '' },
        { by: 'token', name: 0 },
      ],
    ],
    [
      'a token of another type is no name',
      { id: 1, method: 'go', params: { _meta: { progressToken: {} } } },
      [{ by: 'id', name: 1 }],
    ],
    ['a response has none', { id: 1, result: {} }, []],
    ['a notification has none', { method: 'go', params: { _meta: { progressToken: 1 } } }, []],
  ])('%s', (_, value, expected) => {
    expect(namesOf(messageOf(value))).toEqual(expected);
  });
});

describe('referencesOf', () => {
  it.each<[string, object, unknown]>([
    ['a response refers to its request', { id: 0, result: {} }, [{ by: 'id', name: 0 }]],
    ['an error without an id refers to nothing', { id: null, error: { code: -32700, message: 'no' } }, []],
    [
      'a cancel refers to its request',
      { method: 'notifications/cancelled', params: { requestId: 'a' } },
      [{ by: 'id', name: 'a' }],
    ],
    [
      'progress refers to its token',
      { method: 'notifications/progress', params: { progressToken: 2 } },
      [{ by: 'token', name: 2 }],
    ],
    [
      'an event refers to its request',
      { method: 'codex/event', params: { _meta: { requestId: 3 } } },
      [{ by: 'id', name: 3 }],
    ],
    ['other members refer to nothing', { method: 'go', params: { id: 1, token: 2, _meta: 'x' } }, []],
  ])('%s', (_, value, expected) => {
    expect(referencesOf(messageOf(value))).toEqual(expected);
  });
});

describe('renameRequests', () => {
  it.each<[string, object, object]>([
    ['renames the id of a response', { id: 1, result: { id: 1 } }, { id: 'one', result: { id: 1 } }],
    ['does not rename the id of a request', { id: 1, method: 'ask', params: {} }, { id: 1, method: 'ask', params: {} }],
    [
      'renames by kind: the token 1 is not the id 1',
      { method: 'note', params: { requestId: 1, progressToken: 1, other: 1, _meta: { requestId: 1, other: 1 } } },
      {
        method: 'note',
        params: { requestId: 'one', progressToken: 8, other: 1, _meta: { requestId: 'one', other: 1 } },
      },
    ],
    [
      'keeps a number that is written as text a text',
      { method: 'note', params: { progressToken: '1' } },
      { method: 'note', params: { progressToken: '8' } },
    ],
    [
      'renames the id of an event where it is that of its request',
      { method: 'codex/event', params: { _meta: { requestId: 1 }, id: '1', msg: { id: '1' } } },
      { method: 'codex/event', params: { _meta: { requestId: 'one' }, id: 'one', msg: { id: '1' } } },
    ],
    [
      'keeps another id of an event',
      { method: 'codex/event', params: { _meta: { requestId: 1 }, id: '' } },
      { method: 'codex/event', params: { _meta: { requestId: 'one' }, id: '' } },
    ],
    ['keeps a name that nobody changed', { id: 2, result: {} }, { id: 2, result: {} }],
    [
      'renames in each member of a batch',
      [{ id: 1, result: {} }, 7, { method: 'note', params: { requestId: 1 } }],
      [{ id: 'one', result: {} }, 7, { method: 'note', params: { requestId: 'one' } }],
    ],
  ])('%s', (_, value, expected) => {
    expect(renamed(value)).toEqual(expected);
  });

  it('keeps the text of a line that needs no change, byte for byte', () => {
    const line = '{ "id":1,  "result":{} }';
    expect(renameRequests(parseLine(line), [{ by: 'id', recorded: 1, now: 1 }])).toBe(line);
    expect(renameRequests(parseLine('no JSON'), [{ by: 'id', recorded: 1, now: 2 }])).toBe('no JSON');
  });
});

describe('withoutRequestNames', () => {
  it('removes ids and blanks references, in batches too', () => {
    const note = { method: 'note', params: { requestId: 1, a: 2, _meta: { progressToken: 3, b: 4 } } };
    expect(withoutRequestNames([{ id: 1, result: 5 }, note, 6])).toEqual([
      { result: 5 },
      { method: 'note', params: { requestId: '<id>', a: 2, _meta: { progressToken: '<id>', b: 4 } } },
      6,
    ]);
  });

  it('blanks the id of an event where it is that of its request', () => {
    const event = (id: string) => ({ method: 'codex/event', params: { _meta: { requestId: 5 }, id } });
    expect(withoutRequestNames(event('5'))).toMatchObject({ params: { id: '<id>' } });
    expect(withoutRequestNames(event('4'))).toMatchObject({ params: { id: '4' } });
  });
});

describe('withRequestId', () => {
  it('names the request of a response, also as debug adapters do', () => {
    expect(withRequestId({ id: 1, result: {} }, 7)).toEqual({ id: 7, result: {} });
    const response = { seq: 4, type: 'response', request_seq: 3, success: true };
    expect(withRequestId(response, 7)).toEqual({ ...response, request_seq: 7 });
    expect(withoutRequestNames(response)).toEqual({ type: 'response', success: true });
  });
});
