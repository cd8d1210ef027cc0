import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ownProgram } from '../../../src/io/disk/ownProgram';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const foldersFor = (folder: string): string[] => createRequire(join(folder, 'any.js')).resolve.paths('any') ?? [];

const place = () => {
  const home = realpathSync(openHome().path);
  const at = (path: string) => join(home, path);
  for (const folder of ['app/dist', 'app/bin']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('app/package.json'), '{"dependencies": {"a": "1", "none": "1"}}');
  return {
    at,
    own: (...loaded: string[]) =>
      ownProgram({ dist: at('app/dist'), node: at('node'), modules: { loaded: () => loaded, foldersFor } }),
  };
};

describe('ownProgram', () => {
  it('has the scripts, what describes them, Node, and each folder in which packages are looked for', () => {
    const { at, own } = place();
    expect(own().parts).toEqual(
      expect.arrayContaining([
        ...[at('app/dist'), at('app/bin'), at('app/package.json'), at('node')],
        ...[at('app/node_modules'), at('node_modules'), '/node_modules'],
      ]),
    );
  });

  it('has a package that a link leads to, and a circle of them once', () => {
    const { at, own } = place();
    for (const folder of ['app/node_modules', 'else/a', 'else/b']) mkdirSync(at(folder), { recursive: true });
    symlinkSync(at('else/a'), at('app/node_modules/a'));
    symlinkSync(at('else/b'), at('else/b-link'));
    writeFileSync(at('else/a/package.json'), '{"dependencies": {"a": "1"}}');
    expect(own().parts.filter((path) => path === at('else/a'))).toHaveLength(1);
  });

  it('takes a manifest that is none for one without dependencies', () => {
    const { at, own } = place();
    writeFileSync(at('app/package.json'), '[');
    expect(own().parts).toContain(at('app/dist'));
  });

  it('has what was loaded, and the folders of the links on the way to it', () => {
    const { at, own } = place();
    mkdirSync(at('deep/real'), { recursive: true });
    writeFileSync(at('deep/real/file'), '');
    symlinkSync('deep', at('first'));
    symlinkSync('real', at('deep/second'));
    symlinkSync('nowhere', at('dangling'));
    const { parts, links } = own(at('first/second/file'), at('dangling'), at('app/dist/main.cjs'));
    expect(parts.at(-1)).toBe(at('deep/real/file'));
    expect(links).toEqual([at('').replace(/\/$/, ''), at('deep')]);
  });
});
