import fc from 'fast-check';
import { digestOf, sealer, withoutDigest } from '../../../../src/server/mcp/methods/requestState';

const state = { callId: 'c', digest: 'd', keys: ['approval-0'], misread: [], expires: 100 };
const seal = (now: number, key = 'key') => sealer({ key: () => Buffer.from(key), clockMs: () => now });

describe('sealer', () => {
  it('opens what it sealed', () => {
    expect(seal(50).open(seal(0).seal(state))).toEqual(state);
  });

  it('opens what is as old as it may be, and refuses what is older', () => {
    expect(seal(100).open(seal(0).seal(state))).toEqual(state);
    expect(() => seal(101).open(seal(0).seal(state))).toThrow('params.requestState has expired');
  });

  it('refuses what another key sealed', () => {
    expect(() => seal(0, 'other').open(seal(0).seal(state))).toThrow('was not made by this server');
  });

  it('refuses every text in which one character was changed', () => {
    const text = seal(0).seal(state);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
        fc.pre(char !== text[at]);
        expect(() => seal(0).open(text.slice(0, at) + char + text.slice(at + 1))).toThrow('params.requestState');
      }),
    );
  });

  it('refuses any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(() => seal(0).open(text)).toThrow('params.requestState')));
  });
});

describe('digestOf', () => {
  it.each([
    [100_000, '{"a":', '}'],
    [201, '{"a":', '}'],
    [200, '[', ']'],
  ])('refuses arguments that are nested %j deep, in %s', (depth, open, close) => {
    const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
    const args = JSON.parse(open === '[' ? `{"a":${nested}}` : nested);
    const message = 'Invalid params: params.arguments is nested deeper than 200 levels';
    const fault = expect.objectContaining({ code: -32602, message });
    expect(() => digestOf('codex', args)).toThrow(fault);
    expect(() => withoutDigest(args)).toThrow(fault);
  });

  it('takes arguments that are nested less deep, in objects and lists', () => {
    const args = JSON.parse(`${'{"a":['.repeat(100)}1${']}'.repeat(100)}`);
    expect(digestOf('codex', args)).toEqual(expect.any(String));
    expect(withoutDigest(args)).toBe('');
  });

  it('is the same whatever the order of members, and another for another value', () => {
    const one = digestOf('codex', { a: 1, b: [{ c: 1, d: 2 }] });
    expect(digestOf('codex', { b: [{ d: 2, c: 1 }], a: 1 })).toBe(one);
    expect(digestOf('codex', { b: [{ d: 2, c: 2 }], a: 1 })).not.toBe(one);
    expect(digestOf('codex-reply', { a: 1, b: [{ c: 1, d: 2 }] })).not.toBe(one);
  });
});
