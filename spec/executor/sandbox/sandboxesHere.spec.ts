import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { NEVER } from 'rxjs';
import { sandboxDeps } from '../../../src/executor/sandbox/sandboxesHere';
import { silentLog } from '../../../src/protocol/log';

describe('sandboxDeps', () => {
  const { platform, arch } = process;
  const processInfo = { env: { PATH: '' }, cwd: '/none', codexHome: '/none/codex', dist: '/none/dist', platform, arch };
  const deps = sandboxDeps({ processInfo, backend: { start: () => NEVER }, newId: randomUUID, log: silentLog });

  it('keeps the programs that make a sandbox from being written in it, by their names and where these lead', () => {
    const found = ['bwrap', 'bash', 'env'].flatMap((name) => deps.find(name) ?? []);
    expect(found.length).toBeGreaterThan(0);
    expect(deps.own).toEqual(['/none/codex', '/none/dist', ...found, ...found.map((path) => realpathSync(path))]);
  });
});
