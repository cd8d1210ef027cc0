import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import {
  freshIds,
  letterOf,
  lettersIn,
  requestAnsweredBy,
  requestsIn,
  withFreshIds,
  withLetters,
  withRequestIds,
} from '../../../src/tapes/templates/requestLetters';

const parsed = (value: unknown) => parseLine(JSON.stringify(value));
const request = (letter: string, id: number | string, open = true) => ({ letter, id, open });

describe('letterOf', () => {
  it.each([
    ['<id of c>', 'c'],
    ['<id of 🙂>', '🙂'],
    ['<id of cc>', undefined],
    ['<id>', undefined],
    [' <id of c>', undefined],
    [7, undefined],
  ])('of %j is %j', (name, letter) => {
    expect(letterOf(name)).toBe(letter);
  });
});

describe('requestAnsweredBy', () => {
  it('finds the oldest open request with the id', () => {
    const requests = [request('a', 1, false), request('b', '1'), request('c', 1), request('d', 1)];
    expect(requestAnsweredBy(requests, 1)).toBe(requests[2]);
    expect(requestAnsweredBy(requests, 2)).toBeUndefined();
  });
});

describe('withLetters', () => {
  const client = [request('c', 1, false), request('d', 2)];
  const server = [request('E', 1)];

  it.each<[string, unknown, unknown]>([
    ['a response', { id: 1, result: {} }, { id: '<id of E>', result: {} }],
    ['a response to nothing', { id: 9, result: {} }, { id: 9, result: {} }],
    [
      'a cancel',
      { method: 'cancelled', params: { requestId: 1 } },
      { method: 'cancelled', params: { requestId: '<id of c>' } },
    ],
    [
      'an id as text',
      { method: 'e', params: { _meta: { requestId: '2' } } },
      { method: 'e', params: { _meta: { requestId: '<id of d>' } } },
    ],
    ['a progress token', { method: 'p', params: { progressToken: 1 } }, { method: 'p', params: { progressToken: 1 } }],
    ['a request', { id: 1, method: 'm', params: {} }, { id: 1, method: 'm', params: {} }],
    ['a batch', [{ id: 1, result: 0 }, 7], [{ id: '<id of E>', result: 0 }, 7]],
  ])('names requests in %s', (_, value, named) => {
    expect(withLetters(parsed(value), server, client)).toEqual(named);
  });

  it.each(['no JSON', '"a text"'])('gives the line itself for %s', (line) => {
    expect(withLetters(parseLine(line), server, client)).toBe(line);
  });
});

describe('lettersIn', () => {
  it('separates the answers from the other names', () => {
    const batch = [
      { id: '<id of E>', result: {} },
      { method: 'cancelled', params: { requestId: '<id of c>' } },
      { method: 'other', params: { requestId: 3 } },
    ];
    expect(lettersIn(parsed(batch))).toEqual({ answers: ['E'], names: ['c'] });
  });
});

describe('withRequestIds', () => {
  it('is the way back from letters', () => {
    const value = { id: 4, error: { code: 1 } };
    const lettered = withLetters(parsed(value), [request('q', 4)], []);
    expect(JSON.parse(withRequestIds(parsed(lettered), new Map([['q', 5]])))).toEqual({ ...value, id: 5 });
  });
});

describe('requestsIn', () => {
  it('are the requests of a line, also of a batch, and no other messages', () => {
    const batch = [{ id: 1, method: 'a' }, { method: 'n' }, { id: 'x', method: 'b' }, { id: 2, result: {} }];
    const opened = [1, 'x'].map((id) => ({ letter: 'q', id, open: true }));
    expect(requestsIn(parsed(batch), 'q')).toEqual(opened);
  });
});

describe('freshIds', () => {
  it.each([
    ['from 0', [], [0, 1]],
    ['after the latest number', [request('a', 9), request('b', 3), request('c', 'x')], [4, 5]],
  ])('counts %s', (_, requests, ids) => {
    const newId = freshIds(requests);
    expect([newId(), newId()]).toEqual(ids);
  });
});

describe('withFreshIds', () => {
  it('gives ids where any will do, in a batch too', () => {
    const value = [{ id: '<id>', method: 'm' }, { id: 'own' }, 'text', { id: '<id>', result: { id: '<id>' } }];
    expect(withFreshIds(value, freshIds([]))).toEqual([
      { id: 0, method: 'm' },
      { id: 'own' },
      'text',
      { id: 1, result: { id: '<id>' } },
    ]);
  });
});
