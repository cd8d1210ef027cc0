import { toChange } from '../../../src/executor/server/toChange';

const wire = { path: 'f', absolute: '/w/f', real: 'file:///w/f%20g', found: 'file' as const };

describe('toChange', () => {
  it('reads a file of a patch', () => {
    const before = { dataBase64: 'YQ==', mode: 0o100755 };
    expect(toChange({ ...wire, before, after: { dataBase64: '' }, movedTo: '/w/x' })).toEqual({
      path: 'f',
      absolute: '/w/f',
      real: '/w/f g',
      found: 'file',
      before: { bytes: Buffer.from('a'), mode: 0o755 },
      after: { bytes: Buffer.alloc(0), mode: 'default' },
      movedTo: '/w/x',
    });
  });

  it('leaves out what is not there', () => {
    expect(toChange({ ...wire, before: null, movedTo: null })).toEqual({ ...wire, real: '/w/f g' });
  });

  it.each([
    [{ ...wire, real: 'f' }, 'path is not absolute: f'],
    [{ ...wire, movedTo: 'http://x' }, 'unsupported path URI scheme `http`'],
    [{ ...wire, after: { dataBase64: '*' } }, 'Invalid symbol 42, offset 0.'],
  ])('refuses %j', (change, message) => {
    expect(() => toChange(change)).toThrow(message);
  });
});
