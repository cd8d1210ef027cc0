import { areAnswered } from '../../../src/app/compileCache/areAnswered';

const response = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`;

describe('areAnswered', () => {
  it.each([
    ['all, the first request last', response(6) + response(5) + response(4), true],
    ['the last request alone', response(6) + response(5), false],
    ['none', '', false],
    ['a larger id', response(5) + response(6) + response(41), false],
    [
      'an event of it',
      `${response(5)}${response(6)}{"jsonrpc":"2.0","params":{"_meta":{"requestId":4,"id":"4"}}}\n`,
      false,
    ],
  ])('with the responses of %s is %s', (_name, output, all) => {
    expect(areAnswered([4, 5, 6], output)).toBe(all);
  });
});
