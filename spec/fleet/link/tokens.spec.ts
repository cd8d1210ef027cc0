import fc from 'fast-check';
import { fromToken, lastToken, toToken } from '../../../src/fleet/link/tokens';
import { anyText } from '../../support/hostile';

describe('toToken', () => {
  it('makes one token of any text, which fromToken reads back', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        const token = toToken(text);
        expect(token).toMatch(/^[\w%-]+$/);
        expect(fromToken(token)).toBe(Buffer.from(text).toString());
        expect(lastToken(`a.b.${token}`)).toBe(token);
      }),
    );
  });

  it.each([
    ['codex-rx-1', 'codex-rx-1'],
    ['a/b c.jsonl', 'a%2Fb%20c%2Ejsonl'],
    ['*', '%2A'],
    ['>', '%3E'],
    ['', '%'],
    ['%', '%25'],
  ])('writes %j as %s', (text, token) => {
    expect([toToken(text), fromToken(token)]).toEqual([token, text]);
  });

  it('makes none of a text that no server takes', () => {
    expect(() => toToken('x'.repeat(1_025))).toThrow(/too long: 1024/);
    expect(() => toToken('é'.repeat(200))).toThrow(/too long/);
    expect(toToken('x'.repeat(1_024))).toHaveLength(1_024);
  });
});
