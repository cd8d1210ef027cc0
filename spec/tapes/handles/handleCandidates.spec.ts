import { type Candidate, candidatesIn, keysOf } from '../../../src/tapes/handles/handles';
import type { Leaf } from '../../../src/tapes/handles/handleTexts';

const leaf = (text: string | number, isNamed = false): Leaf => ({
  text: String(text),
  name: 'a',
  isNumber: typeof text === 'number',
  isNamed,
});
const sure = (key: string): Candidate => ({ key, isSure: true });
const maybe = (key: string): Candidate => ({ key, isSure: false });

describe('candidatesIn', () => {
  it.each<[string, Leaf, Candidate[]]>([
    ['nothing', leaf('', true), []],
    ['a short text in a member for handles', leaf('a', true), [sure('= a')]],
    ['a word in a member for handles', leaf('default', true), [sure('= default')]],
    ['random letters in a member for handles', leaf('sess_GlRZtPutQyGe', true), [sure('sess_GlRZtPutQyGe')]],
    ['random letters elsewhere', leaf('sess_GlRZtPutQyGe'), [maybe('sess_GlRZtPutQyGe')]],
    ['a word elsewhere', leaf('weather'), []],
    ['a name of several words', leaf('getWeatherOf'), [maybe('getWeatherOf')]],
    ['letters and digits', leaf('sess_1'), [sure('sess_1'), sure('sess_1')]],
    ['a text with spaces', leaf('with 1 space'), []],
    ['a date', leaf('2026-01-02'), []],
    ['a number in a member for handles', leaf(12, true), [sure('= 12')]],
    ['a longer one', leaf(123, true), [sure('123')]],
    ['a number elsewhere', leaf(123), []],
    ['a longer one', leaf(4711), [maybe('4711')]],
    ['a hex id that has no letter', leaf('42420644'), [sure('42420644'), maybe('42420644')]],
    ['a text that is a short number', leaf('4242064'), [maybe('4242064'), maybe('4242064')]],
    ['a number in a text', leaf('PID 4711, 12'), [maybe('4711')]],
    ['a URI', leaf('book://v1/one'), []],
    ['what a URI holds', leaf('log://s4f9a2c/4711/out'), [sure('s4f9a2c'), sure('4711')]],
    ['a temporary path', leaf('/tmp/run-AbCdEf/out'), [sure('/tmp/run-AbCdEf/out'), sure('run-AbCdEf')]],
    ['joints around', leaf('V1StG_'), [sure('V1StG_'), sure('V1StG_')]],
  ])('finds %s', (_, value, candidates) => {
    expect(candidatesIn(value, [])).toEqual(candidates);
  });

  it.each(['x', '1', 'aB', '_'])('finds no handle in a word of megabytes, and does not fail: %s', (piece) => {
    const text = piece.repeat(20_000_000 / piece.length);
    expect([leaf(text), leaf(text, true), leaf(`x ${text}`)].flatMap((one) => candidatesIn(one, []))).toEqual([]);
  });

  it('finds the words that it is given', () => {
    expect(candidatesIn(leaf('Opened GlRZtPut.'), ['GlRZtPut', 'other'])).toEqual([maybe('GlRZtPut')]);
  });
});

describe('keysOf', () => {
  it.each<[Leaf, string[]]>([
    [leaf('a', true), ['a', '= a']],
    [leaf('a'), ['a']],
    [leaf(123, true), ['123', '= 123']],
    [leaf(123), []],
    [leaf(4711), ['4711']],
  ])('of %j is %j', (value, keys) => {
    expect(keysOf(value)).toEqual(keys);
  });
});
