/** Real sandboxes around folders, and with a /proc, that are not as usual. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, raceSandbox, runIn } from '../support/exec/sandboxes';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

describe('a sandbox', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx folders-')));
  const at = (path: string) => join(base, path);
  for (const folder of ['work', 'work/in', 'blind', 'codex', 'temporary']) mkdirSync(at(folder));
  const sandbox = (cwd: string, own: object = {}) =>
    openSandbox({ own: { cwd: at(cwd), ...own }, codexHome: at('codex') });

  afterAll(() => {
    for (const folder of ['blind', 'temporary']) chmodSync(at(folder), 0o700);
    rmSync(base, { recursive: true });
  });

  it('has folders that can be written, but not listed: a workspace, and one for temporary files', async () => {
    chmodSync(at('blind'), 0o311);
    chmodSync(at('temporary'), 0o300);
    const settings = { tmpdir: at('temporary'), excludeTmpdirEnvVar: false };
    const { asSet, writable } = sandbox('blind', settings);
    expect(writable).toEqual([at('blind'), at('temporary')]);
    const script = `echo a > '${at('blind/a')}'; echo b > '${at('temporary/b')}'`;
    expect(await runIn(asSet, ['/bin/sh', '-c', script], { cwd: at('blind') })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect([at('blind/a'), at('temporary/b')].map((path) => readFileSync(path, 'utf8'))).toEqual(['a\n', 'b\n']);
  });

  it('leaves out a TMPDIR that names nothing, or in which this user can make nothing', async () => {
    for (const tmpdir of [at('none'), '/proc/self', __filename]) {
      const { asSet, writable } = sandbox('work', { tmpdir, excludeTmpdirEnvVar: false });
      expect(writable).toEqual([at('work')]);
      expect(await runIn(asSet, ['/bin/true'], { cwd: at('work') })).toMatchObject({ exitCode: 0, stderr: '' });
    }
  });

  it('has the ignored files of the repository around in the placeholder of .git, where nothing can be written', async () => {
    for (const folder of ['repo/.git', 'repo/pkg']) mkdirSync(at(folder), { recursive: true });
    writeFileSync(at('repo/.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(at('repo/.gitignore'), 'node_modules/\n/pkg/out\n');
    const { asSet } = sandbox('repo/pkg');
    const script = 'cat .git/info/exclude; ls -A .git; echo x > .git/HEAD; echo x > .git/info/exclude; rm -r .git';
    const { stdout, stderr } = await runIn(asSet, ['/bin/sh', '-c', script], { cwd: at('repo/pkg') });
    expect(stdout).toBe('node_modules/\n/out\ninfo\n');
    expect(stderr.match(/Read-only file system/g)).toHaveLength(3);
    expect(readdirSync(at('repo/pkg'))).toEqual([]);
  });

  it('shows the /proc of outside if none can be mounted, and lets nobody reach into other processes by it', async () => {
    const bwrap = at('bwrap');
    const refusing = `case " $* " in *" --proc "*) echo "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" >&2; exit 1;; esac`;
    writeFileSync(bwrap, `#!/bin/bash\n${refusing}\nexec /usr/bin/bwrap "$@"\n`, { mode: 0o700 });
    const find = (name: string) => (name === 'bwrap' ? bwrap : `/usr/bin/${name}`);
    const backend = raceSandbox(at('work'), { codexHome: at('codex'), find });
    const own = `/proc/${process.pid}`;
    const script = [
      `cat ${own}/comm >/dev/null && echo seen`,
      ...['environ', 'maps', 'mem', 'cwd/package.json', 'root/etc/hostname', 'fd/0'].map(
        (name) => `head -c 1 ${own}/${name}`,
      ),
      `readlink ${own}/fd/0 ${own}/cwd ${own}/exe; ls ${own}/cwd/ ${own}/fd/0/`,
      ...['sys/kernel/domainname', 'self/oom_score_adj', 'self/mem'].map((name) => `(echo 1 > /proc/${name})`),
      `mount -o remount,rw /proc; umount /proc`,
      `echo a > '${at('work/a')}' && echo written`,
    ].join('\n');
    const { stdout, stderr } = await runIn(backend, ['/bin/bash', '-c', script], { cwd: at('work') });
    expect(stdout).toBe('seen\nwritten\n');
    expect(stderr.match(/Permission denied|Read-only file system|must be superuser/g)?.length).toBeGreaterThanOrEqual(
      11,
    );
  });
});
