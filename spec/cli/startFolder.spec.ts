import { startFolder } from '../../src/cli/thisProcess';

const deleted = (): never => {
  throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT' });
};

describe('startFolder', () => {
  it('is the working folder', () => {
    expect(startFolder({ cwd: () => '/work', env: { PWD: '/link' } })).toBe('/work');
  });

  it.each([
    [{ PWD: '/gone' }, '/gone'],
    [{ PWD: 'gone' }, '/'],
    [{}, '/'],
  ])('is the path that the shell knew where the folder was deleted: %j', (env, path) => {
    expect(startFolder({ cwd: deleted, env })).toBe(path);
  });
});
