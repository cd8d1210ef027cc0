import { splitOverride } from '../../../src/streams/text/splitOverride';

describe('splitOverride', () => {
  it.each([
    ['model=o3', 'model', 'o3'],
    [' a.b \t= c=d ', 'a.b', 'c=d'],
    ['model=', 'model', ''],
    ['\u0085a\u0085=\u00a0b', 'a', 'b'],
    ['a=\ufeffb', 'a', '\ufeffb'],
  ])('splits %j', (override, key, value) => expect(splitOverride(override)).toEqual({ key, value }));

  it.each(['', 'model'])('names what %j lacks', (override) =>
    expect(splitOverride(override)).toBe(`-c ${override}: Invalid override (missing '='), expected key=value`),
  );

  it.each(['=', '=x', ' =x'])('names the key that %j lacks', (override) =>
    expect(splitOverride(override)).toBe(`-c ${override}: Empty key in override, expected key=value`),
  );
});
