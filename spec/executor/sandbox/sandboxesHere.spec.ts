import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
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

  it('needs no folder of caches', () => {
    const { path: home } = openHome();
    expect(depsFor({ HOME: home }).own).toEqual(deps.own);
  });
});
