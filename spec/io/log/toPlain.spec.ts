import { toPlain } from '../../../src/io/log/toPlain';

const plain = toPlain((text) => text.replaceAll('hush', '*'));

describe('toPlain', () => {
  it('hides secrets at any depth, by name and by look', () => {
    const fields = { a: [{ headers: { Authorization: 'x', tokens: { id: 'y', n: null } } }], b: 'hush', hush: 1 };
    expect(plain(fields)).toEqual({
      a: [{ headers: { Authorization: '[redacted]', tokens: { id: '[redacted]', n: null } } }],
      b: '*',
      '*': 1,
    });
  });

  it('makes text of what JSON cannot hold', () => {
    const fields = {
      big: 7n,
      nan: Number.NaN,
      none: undefined,
      call: Symbol('s'),
      at: new Date(0),
      off: new Date(Number.NaN),
    };
    expect(plain(fields)).toEqual({
      big: '7',
      nan: 'NaN',
      call: 'Symbol(s)',
      at: '1970-01-01T00:00:00.000Z',
      off: null,
    });
  });

  it('opens errors, maps and sets, and only measures bytes', () => {
    const error = Object.assign(new Error('hush'), { stack: 'at', code: 'E' });
    expect(plain({ error, map: new Map([['k', 1]]), set: new Set([2]), bytes: Buffer.from('abc') })).toEqual({
      error: { name: 'Error', message: '*', stack: 'at', code: 'E' },
      map: [['k', 1]],
      set: [2],
      bytes: '[3 bytes]',
    });
  });

  it('stops at circles, but not at twins', () => {
    const twin = { x: 1 };
    const round: Record<string, unknown> = { left: twin, right: twin };
    round.self = round;
    expect(plain(round)).toEqual({ left: { x: 1 }, right: { x: 1 }, self: '[circular]' });
  });

  it('stops at depth and at width', () => {
    const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => [inner], 'end');
    const wide = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, i]));
    expect(JSON.stringify(plain({ deep }))).toContain('[deep]');
    expect(plain({ wide }).wide).toMatchObject({ k99: 99, '…': '50 more' });
    expect(plain({ list: Array(150).fill(0) }).list).toHaveLength(101);
  });

  it('names what it could not read', () => {
    const trap = new Proxy({}, { ownKeys: () => { throw new Error('no'); } }); // biome-ignore format: one line
    const getter = { get x() { throw new Error('hush'); } }; // biome-ignore format: one line
    expect(plain({ trap, getter })).toEqual({
      trap: '[unreadable: Error: no]',
      getter: { x: '[unreadable: Error: *]' },
    });
    expect(plain(trap)).toEqual({ fields: '[unreadable: Error: no]' });
  });
});
