import fc from 'fast-check';
import { readId, withExactIds } from '../../../src/protocol/jsonrpc/readId';

const read = (line: string) => readId(JSON.parse(line).id, () => line);

describe('readId', () => {
  it.each([
    ['{"id":0}', 0],
    ['{"id":""}', ''],
    ['{"id":-3}', -3],
    ['{"id":9007199254740992}', 9_007_199_254_740_992n],
    ['{"a":{"id":1},"id":-9007199254740993}', -9_007_199_254_740_993n],
    ['{"id":1e300}', 1e300],
    ['{"id":9007199254740993.0}', null],
    ['{"id":90071992547409931e0}', null],
    ['{"id":1e3}', 1000],
    [`{"id":${'9'.repeat(310)}}`, null],
    ['{"id":1.5}', null],
    ['{"id":null}', null],
    ['{"id":true}', null],
    ['{"id":{}}', null],
    ['{}', null],
  ])('of %s is %p', (line, id) => {
    expect(read(line)).toBe(id);
  });

  it('reads the line only where a number cannot be exact', () => {
    const line = jest.fn(() => '');
    readId(1, line);
    readId('1', line);
    expect(line).not.toHaveBeenCalled();
  });

  it('is exact for any integer', () => {
    fc.assert(fc.property(fc.bigInt(), (id) => expect(String(read(`{"id":${id}}`))).toBe(String(id))));
  });
});

describe('withExactIds', () => {
  it('keeps the ids inside params exact, and changes nothing else', () => {
    const line = '{"params":{"requestId":9007199254740993,"_meta":{"progressToken":9007199254740995,"a":1}}}';
    expect(withExactIds(JSON.parse(line).params, () => line)).toEqual({
      requestId: 9_007_199_254_740_993n,
      _meta: { progressToken: 9_007_199_254_740_995n, a: 1 },
    });
  });

  it('gives back the params where all is exact', () => {
    const params = { requestId: 1, _meta: { progressToken: 'p' } };
    expect(withExactIds(params, () => '')).toBe(params);
  });
});
