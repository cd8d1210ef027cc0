import fc from 'fast-check';
import { readFaults } from '../../../src/tapes/replayServer/faults';

const fault = (kind: string, afterMs = 0) => ({ kind, afterMs });

describe('readFaults', () => {
  it.each([
    ['-xDc?#|', ['pass', 'drop', 'double', 'cut', 'random', 'crash', 'end'].map((kind) => fault(kind)), 'once'],
    ['-*', [fault('pass')], 'again'],
    ['2s-', [fault('pass', 2_000)], 'once'],
    ['1m2s3ms-x', [fault('pass', 62_003), fault('drop')], 'once'],
    ['-2s', [fault('pass'), fault('pass', 2_000)], 'once'],
    ['1.5s#', [fault('crash', 1_500)], 'once'],
  ])('reads %s', (text, faults, repeat) => {
    expect(readFaults(text)).toEqual({ faults, repeat });
  });

  it.each([[''], ['*'], ['a'], ['-y'], ['2h-'], ['- x'], ['-**']])('reads nothing in %j', (text) => {
    expect(readFaults(text)).toBeUndefined();
  });

  it('has one fault for each sign, and begins anew for each text', () => {
    const sign = fc.constantFrom('-', 'x', 'D', 'c', '?', '#', '|');
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1 }), (signs) => {
        expect(readFaults(signs.join(''))?.faults).toHaveLength(signs.length);
      }),
    );
  });
});
