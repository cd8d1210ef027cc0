import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { NEVER } from 'rxjs';
import { sandboxDeps } from '../../../src/executor/sandbox/sandboxesHere';
import type { OwnModules } from '../../../src/io/serverProcess/serverProcess';
import { silentLog } from '../../../src/protocol/log';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('sandboxDeps', () => {
  const { platform, arch } = process;
  const place = { cwd: '/none', codexHome: '/none/codex', dist: '/none/dist', node: '/none/node', platform, arch };
  const depsFor = (env: Record<string, string>, modules?: OwnModules) =>
    sandboxDeps({
      processInfo: { ...place, env: { PATH: '', ...env }, ...(modules && { modules }) },
      backend: { start: () => NEVER },
      newId: randomUUID,
      log: silentLog,
    });
  const deps = depsFor({});

  it('keeps the programs that make a sandbox from being written in it, by their names and where these lead', () => {
    const found = ['bwrap', 'bash', 'env'].flatMap((name) => deps.find(name) ?? []);
    expect(found.length).toBeGreaterThan(0);
    const makers = [...found, ...found.map((path) => realpathSync(path))];
    expect(deps.own.slice(-makers.length)).toEqual(makers);
    expect(deps.own.slice(0, 2)).toEqual(['/none/codex', '/none/dist']);
  });

  it('keeps compiled code that the next start runs from being written, also behind a link to the folder of caches', () => {
    const { path: home } = openHome();
    mkdirSync(join(home, 'disk'));
    symlinkSync(join(home, 'disk'), join(home, '.cache'));
    expect(depsFor({ HOME: home }).own).toContain(join(realpathSync(home), 'disk/codex-rx'));
  });

  it('closes no folder that holds a link by which the program was started: a project may be in it', () => {
    const { path: home } = openHome();
    mkdirSync(join(home, 'node'));
    symlinkSync('node', join(home, 'current'));
    const { own, closed } = depsFor({}, { loaded: () => [join(home, 'current')], foldersFor: () => [] });
    expect(own).toContain(home);
    expect(closed).not.toContain(home);
  });

  describe('without a bubblewrap of the system', () => {
    /** Nothing is taken from a temporary folder, and a checkout may be in one. */
    const CACHE = /^\/(?:var\/)?tmp\//.test(process.cwd()) ? join(homedir(), '.cache') : resolve('node_modules/.cache');
    const VENDOR = 'codex-linux-x64/vendor/x86_64-unknown-linux-musl';
    /** As npm installs Codex globally. */
    const installed = (prefix: string) => {
      const [script, program, bwrap] = [
        'codex/bin/codex.js',
        `${VENDOR}/bin/codex`,
        `${VENDOR}/codex-resources/bwrap`,
      ].map((name) => join(prefix, 'lib/node_modules/@openai', name)) as [string, string, string];
      for (const path of [script, program, bwrap]) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, '', { mode: 0o755 });
      }
      mkdirSync(join(prefix, 'bin'), { recursive: true });
      symlinkSync(script, join(prefix, 'bin/codex'));
      return { bin: join(prefix, 'bin'), bwrap: realpathSync(bwrap) };
    };
    const found = (bin: string, cwd = '/none') => {
      const processInfo = { ...place, platform: 'linux' as const, arch: 'x64' as const, cwd, env: { PATH: bin } };
      const machine = { processInfo, backend: { start: () => NEVER }, newId: randomUUID, log: silentLog };
      return sandboxDeps(machine, []);
    };

    let prefix = '';
    beforeEach(() => {
      mkdirSync(CACHE, { recursive: true });
      prefix = mkdtempSync(join(CACHE, 'codex-rx-'));
    });
    afterEach(() => rmSync(prefix, { recursive: true }));

    it('takes that of an installed Codex, and keeps it from being written', () => {
      const { bin, bwrap } = installed(prefix);
      const { find, own, closed } = found(bin);
      expect(find('bwrap')).toBe(bwrap);
      expect(own).toContain(bwrap);
      expect(closed).toContain(bwrap);
    });

    it('does not find one that was removed since', () => {
      const { bin, bwrap } = installed(prefix);
      const { find } = found(bin);
      expect(find('bwrap')).toBe(bwrap);
      rmSync(bwrap);
      expect(find('bwrap')).toBeUndefined();
    });

    it('takes none that the workspace holds, by PATH or behind a link', () => {
      const { bin } = installed(join(prefix, 'work'));
      symlinkSync(join(bin, 'codex'), join(prefix, 'codex'));
      expect([bin, prefix].map((folder) => found(folder, join(prefix, 'work')).find('bwrap'))).toEqual([
        undefined,
        undefined,
      ]);
      expect(found(prefix).find('bwrap')).toBeDefined();
    });
  });

  it('needs no folder of caches', () => {
    const { path: home } = openHome();
    expect(depsFor({ HOME: home }).own).toEqual(deps.own);
  });
});
