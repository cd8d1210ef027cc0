import { toDebugText } from '../../../src/executor/patch/failureText';

describe('toDebugText', () => {
  it.each([
    ['', '""'],
    ['a b', '"a b"'],
    ['\t"\\\'', '"\\t\\"\\\\\'"'],
    ['\0\n\r', '"\\0\\n\\r"'],
    ['\u0007\u001b\u007f', '"\\u{7}\\u{1b}\\u{7f}"'],
    ['\u00a0\u200b\u2028\ufeff\u00ad', '"\\u{a0}\\u{200b}\\u{2028}\\u{feff}\\u{ad}"'],
    ['e\u0301', '"e\\u{301}"'],
    ['é ß 漢 😀', '"é ß 漢 😀"'],
    ['\ue000\u{e0001}', '"\\u{e000}\\u{e0001}"'],
  ])('writes %j as Rust does', (text, expected) => {
    expect(toDebugText(text)).toBe(expected);
  });
});
