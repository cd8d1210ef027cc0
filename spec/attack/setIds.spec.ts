/** A command leaves a program that gives whoever starts it the rights of this user; none gets the mode for it. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, PATH, type Result, runIn } from '../support/exec/sandboxes';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

const SET_ID = 0o6000;

describe('set-user-ID and set-group-ID in the sandbox', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-setid-')));
  const [workspace, codexHome] = [join(base, 'workspace'), join(base, 'codex')];
  for (const folder of [workspace, codexHome]) mkdirSync(folder);
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const run = (argv: readonly string[]): Promise<Result> =>
    runIn(openSandbox({ own: { cwd: workspace }, codexHome }).asSet, argv, { cwd: workspace, env: { PATH } });
  const withSetId = (): string[] =>
    (readdirSync(workspace, { recursive: true }) as string[]).filter(
      (name) => (statSync(join(workspace, name)).mode & SET_ID) !== 0,
    );

  it.each([
    ['chmod u+s', 'cp /bin/sh a && chmod u+s a'],
    ['chmod g+s', 'cp /bin/sh b && chmod 2755 b'],
    ['install', 'install -m 4755 /bin/sh c'],
    ['the copy of a program that has it', 'cp -p "$(command -v su || command -v passwd)" d; test -u d'],
    ['an archive', 'cp /bin/sh e && tar -c --mode=4755 -f x.tar e && tar -xpf x.tar'],
    ['a node', 'mknod -m 4755 f p'],
    ['a user namespace of its own', 'cp /bin/sh g && unshare -Ur chmod u+s g'],
    ['rights of a program by itself', 'cp /bin/sh h && setcap cap_setuid+ep h'],
    ['such rights in a user namespace', 'cp /bin/sh i && unshare -Ur setcap cap_setuid+ep i'],
  ])('is not given by %s', async (_, script) => {
    const { exitCode } = await run(['/bin/bash', '-c', script]);
    expect({ failed: exitCode !== 0, withSetId: withSetId() }).toEqual({ failed: true, withSetId: [] });
  });

  it.each(['4755', '2755', '6711'])('is not given to a file that is made with mode %s', async (mode) => {
    const script = `fs.closeSync(fs.openSync('made-${mode}', 'w', 0o${mode}))`;
    const { stderr } = await run([process.execPath, '-e', script]);
    expect(stderr).toMatch(/EPERM/);
    expect(withSetId()).toEqual([]);
  });

  it('leaves all other modes, and folders that inherit the bit, as they are', async () => {
    const shared = join(workspace, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o2775);
    const script =
      'echo x > y && chmod 755 y && cp -r shared copy && mkdir shared/inner && rm -r shared copy y && mkdir -m 1777 z';
    expect(await run(['/bin/bash', '-c', script])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });
});
