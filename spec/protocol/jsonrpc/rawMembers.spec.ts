import fc from 'fast-check';
import { toJson } from '../../../src/protocol/jsonrpc/json';
import { parseExactly, rawElements, rawMember, readId, withExactIds } from '../../../src/protocol/jsonrpc/rawMembers';
import { anyText } from '../../support/hostile';

describe('parseExactly', () => {
  it.each([
    '{"id":9007199254740993,"l":[-9223372036854775808,18446744073709551615,1]}',
    '{"id":1234567890123456789,"s":"integer:1234567890123456789","__integer:":{"__proto__":1}}',
  ])('keeps all digits of integers, and all else: %s', (text) => {
    expect(toJson(parseExactly(text))).toBe(text);
  });

  it('takes no text for an integer, however it is written', () => {
    const text = '{"id":1234567890123456789,"s":["\\u0069nteger:5","_\\u0069nteger:x"]}';
    expect(parseExactly(text)).toEqual({ id: 1234567890123456789n, s: ['integer:5', '_integer:x'] });
  });

  it('reads everything else as JSON.parse does', () => {
    expect(parseExactly(' {"a":1234567890.123456789012345,"b":1e30,"c":9007199254740991}')).toEqual({
      a: 1234567890.1234567,
      b: 1e30,
      c: 9007199254740991,
    });
    expect(() => parseExactly('{"a":1234567890123456789')).toThrow(SyntaxError);
    fc.assert(fc.property(fc.json(), (text) => expect(toNumbers(parseExactly(text))).toEqual(JSON.parse(text))));
  });
});

/** The value with numbers instead of bigints. */
const toNumbers = (value: unknown): unknown => JSON.parse(toJson(value));

describe('rawMember', () => {
  it.each([
    ['{"id":9007199254740993}', ['id'], '9007199254740993'],
    ['{"id":"x"}', ['id'], '"x"'],
    [' { "id" :\n-1.50e+3\t, "a" : true } ', ['id'], '-1.50e+3'],
    ['{"a":{"id":1},"id":2}', ['id'], '2'],
    ['{"a":{"id":1},"id":2}', ['a', 'id'], '1'],
    ['{"a":{"a":{"a":1}},"b":{"a":2}}', ['a', 'a', 'a'], '1'],
    ['{"a":{"a":1}}', ['a', 'a', 'a'], undefined],
    ['{"a":{"a":1}}', ['a'], undefined],
    ['{"a":["id",{"id":1},"id"],"b":"id","id":2}', ['id'], '2'],
    ['{"a":["id",{"id":1}]}', ['a', 1, 'id'], '1'],
    ['[[1,2],[3,[4,5]]]', [1, 1, 0], '4'],
    ['{"0":1,"a":[2]}', [0], undefined],
    ['{"\\u0069d":1}', ['id'], '1'],
    ['{"\\"id\\\\":1,"id":2}', ['"id\\'], '1'],
    ['{"":1}', [''], '1'],
    ['{"id":1,"id":2}', ['id'], '2'],
    ['{"id":1,"id":{"id":2}}', ['id'], undefined],
    ['{"a":{"id":1},"a":{}}', ['a', 'id'], undefined],
    ['{"a":{"id":1},"a":5}', ['a', 'id'], undefined],
    ['{"a":{"id":1},"a":{"id":2}}', ['a', 'id'], '2'],
    ['{"__proto__":{"id":1},"constructor":2}', ['__proto__', 'id'], '1'],
    ['{"a":"}]{[,:\\\\","id":1}', ['id'], '1'],
    ['7', [], '7'],
    ['{}', ['id'], undefined],
    ['[]', [0], undefined],
    ['', ['id'], undefined],
  ])('finds in %j at %j %j', (text, path, found) => {
    expect(rawMember(text, path)).toBe(found);
  });

  it('ends on a text that breaks off', () => {
    expect(rawMember('{"a":"never ends', ['a'])).toBe('"never ends');
    expect(rawMember('{"a":"x\\"', ['b'])).toBeUndefined();
  });

  it('agrees with JSON.parse at any path, with names written twice, escaped and nested in themselves', () => {
    const name = fc.constantFrom('a', 'id', '', '\\u0061', '\\"', '__proto__', '0', 'x\\\\');
    const blank = fc.constantFrom('', ' ', '\n\t');
    const scalar = fc.oneof(
      fc.maxSafeInteger().map(String),
      anyText().map((text) => JSON.stringify(text)),
      fc.constantFrom('true', 'null', '1.5e3', '"\\u007b"'),
    );
    const { text: json } = fc.letrec<{ text: string; object: string; array: string }>((tie) => ({
      text: fc.oneof({ maxDepth: 4 }, scalar, tie('object'), tie('array')),
      object: fc
        .array(fc.tuple(name, blank, tie('text')), { maxLength: 5 })
        .map(
          (members) => `{${members.map(([key, gap, text]) => `${gap}"${key}"${gap}:${gap}${text}${gap}`).join(',')}}`,
        ),
      array: fc
        .tuple(blank, fc.array(tie('text'), { maxLength: 4 }))
        .map(([gap, parts]) => `[${gap}${parts.join(`${gap},`)}]`),
    }));
    fc.assert(
      fc.property(json, (text) => {
        const visit = (value: unknown, path: (string | number)[]): void => {
          const found = rawMember(text, path);
          if (typeof value !== 'object' || value === null) {
            expect(found === undefined ? 'nothing' : JSON.parse(found)).toEqual(value);
          } else {
            expect(found).toBeUndefined();
            for (const [key, part] of Object.entries(value))
              visit(part, [...path, Array.isArray(value) ? Number(key) : key]);
          }
        };
        visit(JSON.parse(text), []);
      }),
      { numRuns: 500 },
    );
  });
});

describe('rawElements', () => {
  it.each([
    ['[]', []],
    ['[ 1 , "a,]" , [2, 3], {"b" : [4]} , "" ]', ['1', '"a,]"', '[2,3]', '{"b":[4]}', '""']],
    ['[[]]', ['[]']],
  ])('parts %j', (text, elements) => {
    expect(rawElements(text)).toEqual(elements);
  });

  it('gives texts that mean what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(rawElements(text).map((element) => JSON.parse(element) as unknown)).toEqual(JSON.parse(text));
      }),
    );
  });
});

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
