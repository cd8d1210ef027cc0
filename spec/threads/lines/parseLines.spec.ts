import fc from 'fast-check';
import { parseLines } from '../../../src/threads/lines/parseLines';

describe('parseLines', () => {
  it.each([
    ['no text            ', '', []],
    ['one line           ', '{"a":1}\n', [{ a: 1 }]],
    ['a last line cut off', '{"a":1}\n{"b":', [{ a: 1 }]],
    ['what is not an object  ', '1\n[2]\nnull\n{"a":1}', [{ a: 1 }]],
    ['empty lines        ', '\n{"a":1}\n\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
  ])('reads %s', (_, text, objects) => {
    expect(parseLines(text)).toEqual(objects);
  });

  it('reads back any objects, and leaves out a line that is cut anywhere', () => {
    const object = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(fc.array(object), object, fc.nat(), (objects, last, at) => {
        const text = objects.map((one) => `${JSON.stringify(one)}\n`).join('');
        const cut = JSON.stringify(last);
        const read = JSON.stringify(parseLines(text + cut.slice(0, at % cut.length)));
        expect(read).toBe(JSON.stringify(objects));
      }),
    );
  });
});
