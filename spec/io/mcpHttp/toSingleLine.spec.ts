import fc from 'fast-check';
import { toSingleLine } from '../../../src/io/mcpHttp/toSingleLine';

describe('toSingleLine', () => {
  it('keeps the value of any JSON, however it is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const line = toSingleLine(JSON.stringify(value, null, space).replaceAll('\n', '\r\n')) as string;
        expect(line).not.toMatch(/[\r\n]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('makes no line of a blank body', () => {
    expect([toSingleLine(''), toSingleLine(' \r\n')]).toEqual([undefined, undefined]);
  });
});
