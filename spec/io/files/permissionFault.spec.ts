import { permissionFault } from '../../../src/io/files/permissionFault';

describe('permissionFault', () => {
  it.each([0o600, 0o400, 0o100700])('of mode %i is nothing', (mode) => {
    expect(permissionFault('/f', mode, 'linux')).toBeUndefined();
  });

  it.each([
    [0o100644, '644'],
    [0o602, '602'],
    [0o610, '610'],
  ])('of mode %i names it and the remedy', (mode, shown) => {
    expect(permissionFault('/f', mode, 'linux')).toBe(`/f is open to others (mode ${shown}); close it: chmod 600 /f`);
  });

  it('is nothing on a system without modes', () => {
    expect(permissionFault('/f', 0o666, 'win32')).toBeUndefined();
  });
});
