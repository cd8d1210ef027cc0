import fc from 'fast-check';
import { fromSeamJson, toSeamJson } from '../../../src/tapes/seams/ports';

describe('toSeamJson', () => {
  it('writes bytes as an object with one member, of whichever class they are', () => {
    const written = '{"a":{"bytesBase64":"b25l"}}';
    expect(toSeamJson({ a: Buffer.from('one') })).toBe(written);
    expect(toSeamJson({ a: new Uint8Array(Buffer.from('one')) })).toBe(written);
  });

  it('is read again as it was, bytes within lists too', () => {
    const value = fc.letrec((tie) => ({
      all: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array({ maxLength: 4 }).map((bytes) => new Uint8Array(Buffer.from(bytes))),
        fc.array(tie('all'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'bytes'), tie('all'), { maxKeys: 2, noNullPrototype: true }),
      ),
    })).all;
    fc.assert(fc.property(value, (one) => expect(fromSeamJson(toSeamJson(one))).toEqual(one)));
  });
});

describe('fromSeamJson', () => {
  it('leaves an object alone that has more members', () => {
    expect(fromSeamJson('{"bytesBase64":"b25l","a":1}')).toEqual({ bytesBase64: 'b25l', a: 1 });
  });
});
