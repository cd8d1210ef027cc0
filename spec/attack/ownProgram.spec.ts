/** Attacks the promise that no command and no patch changes the program that the next start runs, however it is installed in the workspace. */
import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type OpenOptions, openSandbox, PATH, runIn } from '../support/exec/sandboxes';
import { openHome, removeHomes } from '../support/home';
import { needs } from '../support/needs/needs';

const { describe, it } = needs('sandbox');

afterAll(removeHomes);

describe('the program itself', () => {
  it.each(['bin/codex-rx.js', 'bin/more', 'dist/main.cjs', 'package.json', 'node_modules/rxjs/index.js'])(
    'installed in the project keeps %s',
    async (file) => {
      const at = project();
      installed(at);
      expect(await changed(at, `node_modules/codex-rx/${file}`)).toEqual(NOTHING);
    },
  );

  it.each(['rxjs/index.js', 'rxjs/new.js', '@scope/tool/index.js', '@scope/node_modules/rxjs/index.js'])(
    'keeps the packages that npm puts next to it: %s',
    async (file) => {
      const at = project();
      installed(at);
      expect(await changed(at, `node_modules/${file}`)).toEqual(NOTHING);
    },
  );

  it.each(['node-pty/index.js', '@lydell/node-pty/index.js', 'unknown-package/index.js'])(
    'lets nobody put a package there that it would load: %s',
    async (file) => {
      const at = project();
      installed(at);
      expect(await changed(at, `node_modules/${file}`)).toEqual(NOTHING);
    },
  );

  it.each([
    'codex-rx/bin/codex-rx.js',
    '.pnpm/rxjs@1/node_modules/rxjs/index.js',
    '.pnpm/rxjs@1/node_modules/tslib/a.js',
  ])('keeps the folders that pnpm links: %s', async (file) => {
    const at = project();
    const own = join(at.work, 'node_modules/.pnpm/codex-rx@1/node_modules/codex-rx');
    pack(own, 'codex-rx');
    pack(join(at.work, 'node_modules/.pnpm/rxjs@1/node_modules/rxjs'), 'rxjs');
    link(join(dirname(own), 'rxjs'), '../../rxjs@1/node_modules/rxjs');
    link(join(at.work, 'node_modules/codex-rx'), '.pnpm/codex-rx@1/node_modules/codex-rx');
    expect(await changed({ ...at, dist: join(own, 'dist') }, `node_modules/${file}`)).toEqual(NOTHING);
  });

  it('keeps a package that is linked from another folder of the workspace, and what that one needs', async () => {
    const at = project();
    installed(at);
    pack(join(at.work, 'forks/rxjs'), 'rxjs', { dependencies: { tslib: '1' } });
    pack(join(at.work, 'forks/node_modules/tslib'), 'tslib');
    link(join(at.work, 'node_modules/linked'), '../forks/rxjs');
    const files = ['forks/rxjs/index.js', 'forks/rxjs/new.js', 'forks/node_modules/tslib/index.js'];
    for (const file of files) expect(await changed(at, file)).toEqual(NOTHING);
  });

  it('keeps the link by which it was started', async () => {
    const at = project();
    installed(at);
    link(join(at.work, 'tools/codex-rx'), '../node_modules/codex-rx/bin/codex-rx.js');
    const started = { ...at, loaded: () => [join(at.work, 'tools/codex-rx')] };
    await changed(started, 'tools/codex-rx');
    await changed(started, 'tools/other');
    expect(readlinkSync(join(at.work, 'tools/codex-rx'))).toBe('../node_modules/codex-rx/bin/codex-rx.js');
  });

  it('keeps a file that Node loads first', async () => {
    const at = project();
    installed(at);
    writeFileSync(join(at.work, 'preload.js'), 'ours');
    expect(await changed({ ...at, loaded: () => [join(at.work, 'preload.js')] }, 'preload.js')).toEqual(NOTHING);
  });

  it('leaves the rest of the project to the commands', async () => {
    const at = project();
    installed(at);
    expect(await changed(at, 'src/index.ts')).toEqual({ text: 'evil', patch: true });
  });
});

const NOTHING = { text: expect.not.stringContaining('evil'), patch: false };

type Project = { work: string; codexHome: string; dist: string; loaded?: () => string[] };

const project = (): Project => {
  const { path, work } = openHome();
  return { work, codexHome: join(path, 'codex'), dist: join(work, 'node_modules/codex-rx/dist') };
};

/** As `npm install` does, with the packages next to it. */
const installed = ({ work }: Project): void => {
  const modules = join(work, 'node_modules');
  pack(join(modules, 'codex-rx'), 'codex-rx', {
    dependencies: { rxjs: '1', linked: '1' },
    optionalDependencies: { '@scope/tool': '1' },
  });
  for (const name of ['rxjs', '@scope/tool']) pack(join(modules, name), name);
};

const pack = (folder: string, name: string, more: object = { dependencies: { rxjs: '1' } }): void => {
  for (const part of ['bin', 'dist']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, ...more }));
  for (const file of ['index.js', 'bin/codex-rx.js', 'dist/main.cjs']) writeFileSync(join(folder, file), 'ours');
};

const link = (path: string, target: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
};

const foldersFor = (folder: string): string[] => createRequire(join(folder, 'any.js')).resolve.paths('any') ?? [];

/** Writes the file in every way a command has, and says what it is then, and whether a patch might have written it. */
const changed = async ({ work, codexHome, dist, loaded = () => [] }: Project, file: string) => {
  const own: OpenOptions['own'] = { cwd: work };
  const { asSet, mayWrite } = openSandbox({ own, codexHome, program: { dist, modules: { loaded, foldersFor } } });
  const script = `f="$0"; d=$(dirname "$f"); mkdir -p "$d"; printf evil >"$f"; rm -f "$f"; printf evil >"$f"
    mv "$d" "$d.old" && mkdir -p "$d" && printf evil >"$f"
    p=$(dirname "$d"); [ "$p" = . ] || { mv "$p" "$p.old" && mkdir -p "$d" && printf evil >"$f"; }; cat "$f"`;
  const { stdout } = await runIn(asSet, ['bash', '-c', script, file], { cwd: work, env: { PATH } });
  return { text: stdout, patch: mayWrite(existsSync(work) ? join(work, file) : '') };
};
