/** Ways out of the sandbox, tried from inside by real commands; none leads out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sandboxFiles } from '../../src/executor/sandbox/sandboxFilesHere';
import { type OpenOptions, openSandbox, PATH, type Result, raceSandbox, runIn } from '../support/exec/sandboxes';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

type Place = { base: string; workspace: string; outside: string; codexHome: string; home: string };

const newPlace = (): Place => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-escape-')));
  const folder = (name: string) => {
    mkdirSync(join(base, name));
    return join(base, name);
  };
  const place = { base, workspace: folder('workspace'), outside: folder('outside'), codexHome: folder('codex') };
  writeFileSync(join(place.outside, 'secret'), 'kept');
  writeFileSync(join(place.codexHome, 'auth.json'), '{"OPENAI_API_KEY":"sk-of-the-daemon"}');
  writeFileSync(join(place.codexHome, 'AGENTS.md'), 'be good');
  return { ...place, home: folder('home') };
};

const DENIED =
  /Read-only file system|Permission denied|Operation not permitted|Device or resource busy|Invalid cross-device/;

describe('the sandbox', () => {
  const places: Place[] = [];
  const open = (own: Partial<OpenOptions['own']> = {}, place = newPlace()) => {
    places.push(place);
    const { codexHome, home } = place;
    const session = openSandbox({ own: { cwd: place.workspace, ...own }, codexHome, home });
    const bash = (script: string, cwd = place.workspace): Promise<Result> =>
      runIn(session.asSet, ['/bin/bash', '-c', script], { cwd, env: { PATH, HOME: place.home } });
    return { ...place, session, bash };
  };
  const node = (script: string) => [process.execPath, '-e', script];

  afterAll(() => {
    for (const { base } of places) rmSync(base, { recursive: true, force: true });
  });

  describe('files', () => {
    it('lets a command write in the workspace and read everything', async () => {
      const { bash, workspace, outside } = open();
      const result = await bash(`echo text > new && mkdir -p a/b && mv new a/b/ && cat a/b/new ${outside}/secret`);
      expect(result).toEqual({ stdout: 'text\nkept', stderr: '', exitCode: 0 });
      expect(readFileSync(join(workspace, 'a/b/new'), 'utf8')).toBe('text\n');
    });

    it.each<[string, (place: Place) => string]>([
      ['a file beside the workspace', ({ outside }) => `echo x > ${outside}/new`],
      ['a file that is there', ({ outside }) => `echo x >> ${outside}/secret`],
      ['by a relative path', () => 'echo x > ../outside/new'],
      ['by a link of its own', ({ outside }) => `ln -s ${outside} out && echo x > out/new`],
      ['by a link to a file', ({ outside }) => `ln -s ${outside}/new out && echo x > out`],
      ['by a hard link', ({ outside }) => `ln ${outside}/secret hard && echo x > hard`],
      ['by moving a file there', ({ outside }) => `echo x > f && mv f ${outside}/new`],
      ['by removing one', ({ outside }) => `rm -f ${outside}/secret`],
      ['by renaming the folder', ({ outside }) => `mv ${outside} ${outside}2`],
      ['by renaming the workspace', ({ workspace }) => `mv ${workspace} ${workspace}2`],
      ['by its mode', ({ outside }) => `chmod 777 ${outside}`],
      ['by /proc/self/root', ({ outside }) => `echo x > /proc/self/root${outside}/new`],
      ['by /proc/1/root', ({ outside }) => `echo x > /proc/1/root${outside}/new`],
      ['by /proc/self/cwd', () => 'echo x > /proc/self/cwd/../outside/new'],
      ['by /proc/self/fd', ({ outside }) => `exec 9<${outside} && echo x > /proc/self/fd/9/new`],
      ['by another mount', ({ outside }) => `mount -o remount,rw / && echo x > ${outside}/new`],
      [
        'by its own namespace',
        ({ outside }) => `unshare -Urm sh -c 'mount -o remount,rw / && echo x > ${outside}/new'`,
      ],
      ['by taking a mount away', ({ outside }) => `umount -l / && echo x > ${outside}/new`],
      ['by a file in /etc', () => 'echo x > /etc/codex-rx-escape'],
      ['by the root of the first process', () => 'echo x > /proc/1/root/etc/codex-rx-escape'],
      ['by a setting of the kernel', () => 'f=/proc/sys/kernel/core_pattern; p=$(cat $f); echo $p > $f'],
      ['by a device', () => 'test ! -e /dev/sda && mknod disk b 8 0 && cat disk'],
    ])('denies writing outside: %s', async (_, script) => {
      const place = open();
      const { exitCode, stderr } = await place.bash(script(place));
      expect(exitCode).not.toBe(0);
      expect(stderr).toMatch(/./);
      expect(readdirSync(place.outside)).toEqual(['secret']);
      expect(readFileSync(join(place.outside, 'secret'), 'utf8')).toBe('kept');
      expect(existsSync('/etc/codex-rx-escape')).toBe(false);
    });

    it('follows a link in the workspace that was there before no further than the sandbox', async () => {
      const place = newPlace();
      symlinkSync(place.outside, join(place.workspace, 'link'));
      const { stderr, exitCode } = await open({}, place).bash('echo x > link/new');
      expect({ exitCode, denied: DENIED.test(stderr) }).toEqual({ exitCode: 1, denied: true });
    });

    it('lets nothing be written in read-only mode', async () => {
      const { bash, workspace } = open({ mode: 'read-only' });
      expect((await bash('echo x > new')).stderr).toMatch(/Read-only file system/);
      expect((await bash('echo x > /tmp/codex-rx-escape')).stderr).toMatch(/Read-only file system/);
      expect(readdirSync(workspace)).toEqual([]);
    });

    it('lets a command write to /dev/null, and to a /dev/shm of its own', async () => {
      const { bash } = open({ mode: 'read-only' });
      const name = `codex-rx-${process.pid}`;
      expect(await bash(`echo x > /dev/null && echo x > /dev/shm/${name}`)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(existsSync(`/dev/shm/${name}`)).toBe(false);
    });

    it('does not make the folder of a command writable, only that of the session', async () => {
      const { bash, outside } = open();
      expect((await bash('echo x > new', outside)).stderr).toMatch(/Read-only file system/);
      expect(readdirSync(outside)).toEqual(['secret']);
    });

    it('opens temporary folders as they are set', async () => {
      const place = newPlace();
      const temporary = join(place.base, 'temporary');
      mkdirSync(temporary, { mode: 0o700 });
      const script = `echo x > ${temporary}/new`;
      const settings = { tmpdir: temporary, excludeTmpdirEnvVar: false };
      expect((await open({ ...settings, excludeTmpdirEnvVar: true }, place).bash(script)).exitCode).toBe(1);
      expect((await open({ ...settings, mode: 'read-only' }, place).bash(script)).exitCode).toBe(1);
      expect((await open(settings, place).bash(script)).exitCode).toBe(0);
    });

    it('opens further roots, and none that is not there', async () => {
      const place = newPlace();
      const { bash } = open({ writableRoots: [place.outside, join(place.base, 'missing')] }, place);
      expect((await bash(`echo x > ${place.outside}/new`)).exitCode).toBe(0);
      expect((await bash(`mkdir ${place.base}/missing`)).stderr).toMatch(/Read-only file system/);
    });
  });

  describe('roots that move', () => {
    it('does not let a folder above a root be renamed', async () => {
      const place = newPlace();
      const deep = join(place.workspace, 'a/b/root');
      mkdirSync(deep, { recursive: true });
      const { bash } = open({ writableRoots: [deep] }, place);
      expect((await bash('mv a/b a/c')).stderr).toMatch(/Device or resource busy/);
      expect((await bash('mv a c')).stderr).toMatch(/Device or resource busy/);
      expect((await bash('mv a/b/root a/b/x')).stderr).toMatch(/Device or resource busy/);
    });

    it('makes no sandbox when a root has become a link', async () => {
      const place = newPlace();
      const root = join(place.base, 'root');
      mkdirSync(root);
      const { bash } = open({ writableRoots: [root] }, place);
      expect((await bash(`echo x > ${root}/new`)).exitCode).toBe(0);
      rmSync(root, { recursive: true });
      symlinkSync(place.outside, root);
      const result = await bash(`echo x > ${root}/new`);
      expect(result.failed).toMatch(/^the sandbox could not be made: .*root has become a link since the session began/);
      expect(readdirSync(place.outside)).toEqual(['secret']);
    });

    it('opens what it looked at if a root becomes a link before the command starts', async () => {
      const { base, workspace, outside, codexHome } = newPlace();
      const swap = () => {
        renameSync(workspace, join(base, 'moved'));
        symlinkSync('outside', workspace);
      };
      const script = `touch ${outside}/new ${workspace}/new; ls /proc/self/fd`;
      const { stdout } = await runIn(
        raceSandbox(workspace, { codexHome, meanwhile: swap }),
        ['/bin/sh', '-c', script],
        { cwd: '/' },
      );
      expect([readdirSync(outside), stdout.split('\n').length]).toEqual([['secret'], stdout === '' ? 1 : 5]);
      rmSync(base, { recursive: true });
    });

    it('makes nothing in what a link in the place of a root leads to', () => {
      const { base, workspace, outside } = newPlace();
      rmSync(workspace, { recursive: true });
      symlinkSync('outside', workspace);
      expect([sandboxFiles.makeFolder(`${workspace}/x`), sandboxFiles.makeFile(`${workspace}/y`, '')]).toEqual([
        'failed',
        'failed',
      ]);
      sandboxFiles.removeFile(`${workspace}/secret`);
      expect(readdirSync(outside)).toEqual(['secret']);
      rmSync(base, { recursive: true });
    });

    it('goes on without a root that is gone', async () => {
      const place = newPlace();
      const root = join(place.base, 'root');
      mkdirSync(root);
      const { bash } = open({ writableRoots: [root] }, place);
      rmSync(root, { recursive: true });
      expect(await bash('echo x > new')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    });
  });

  describe('repositories and settings', () => {
    it.each<[string, (place: Place) => void, string]>([
      [
        'a hook',
        ({ workspace }) => mkdirSync(join(workspace, '.git/hooks'), { recursive: true }),
        '.git/hooks/post-checkout',
      ],
      ['the configuration of git', ({ workspace }) => mkdirSync(join(workspace, '.git')), '.git/config'],
      ['the configuration of Codex', ({ workspace }) => mkdirSync(join(workspace, '.codex')), '.codex/config.toml'],
      ['a gitfile', ({ workspace }) => writeFileSync(join(workspace, '.git'), 'gitdir: ../outside'), '.git'],
      [
        'where a gitfile leads',
        ({ workspace }) => {
          mkdirSync(join(workspace, 'data'));
          writeFileSync(join(workspace, '.git'), 'gitdir: data\n');
        },
        'data/config',
      ],
      [
        'where a worktree leads in the end',
        ({ workspace }) => {
          mkdirSync(join(workspace, 'main/worktrees/one'), { recursive: true });
          writeFileSync(join(workspace, 'main/worktrees/one/commondir'), '../..\n');
          writeFileSync(join(workspace, '.git'), `gitdir: ${workspace}/main/worktrees/one\n`);
        },
        'main/config',
      ],
      [
        'where a link in .git leads',
        ({ workspace }) => {
          mkdirSync(join(workspace, '.git'));
          mkdirSync(join(workspace, 'hooks'));
          symlinkSync('../hooks', join(workspace, '.git/hooks'));
        },
        'hooks/pre-commit',
      ],
    ])('keeps %s', async (_, prepare, file) => {
      const place = newPlace();
      prepare(place);
      const { bash } = open({}, place);
      const { stderr, exitCode } = await bash(`echo hostile > ${file}`);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(DENIED) });
      const top = file.split('/')[0];
      expect((await bash(`rm -rf ${top}; mv ${top} gone`)).stderr).toMatch(DENIED);
    });

    it.each(['.git', '.codex'])('does not let %s come into being, and leaves no trace of it', async (name) => {
      const { bash, workspace } = open();
      const tries = [`mkdir -p ${name}/x`, `echo x > ${name}`, `ln -s . ${name}`, `mkdir y && mv -T y ${name}`];
      for (const script of tries) expect({ script, ...(await bash(script)) }).not.toMatchObject({ exitCode: 0 });
      expect(readdirSync(workspace).filter((one) => one !== 'y')).toEqual([]);
    });

    it('refuses if .git is a link, which could be replaced', async () => {
      const place = newPlace();
      mkdirSync(join(place.workspace, 'data'));
      symlinkSync('data', join(place.workspace, '.git'));
      expect((await open({}, place).bash('echo x > new')).failed).toMatch(/\.git is a link/);
      expect(readdirSync(place.workspace).sort()).toEqual(['.git', 'data']);
    });

    it('keeps the folder of Codex in a workspace around it, and does not let it be moved', async () => {
      const place = newPlace();
      const { bash } = open({ cwd: place.base }, place);
      expect((await bash(`echo x > ${place.codexHome}/config.toml`)).stderr).toMatch(DENIED);
      expect((await bash(`mv ${place.codexHome} ${place.base}/x`)).stderr).toMatch(DENIED);
      expect(readdirSync(place.codexHome).sort()).toEqual(['AGENTS.md', 'auth.json']);
    });

    it('never makes the whole file system a workspace', async () => {
      const { bash, outside } = open({ cwd: '/' });
      expect((await bash(`echo x > ${outside}/new`)).stderr).toMatch(/Read-only file system/);
    });
  });

  describe('secrets', () => {
    it('hides the login, keys and what else is known to be secret', async () => {
      const place = newPlace();
      mkdirSync(join(place.home, '.ssh'));
      writeFileSync(join(place.home, '.ssh/id_ed25519'), 'private');
      writeFileSync(join(place.home, '.netrc'), 'password');
      const { bash, session } = open({}, place);
      for (const script of [
        `cat ${place.codexHome}/auth.json`,
        'cat ~/.ssh/id_ed25519',
        'ls ~/.ssh',
        'cat ~/.netrc',
        'cp ~/.netrc here',
        'cat /proc/self/root$HOME/.netrc',
      ]) {
        expect({ script, ...(await bash(script)) }).toEqual({
          script,
          stdout: '',
          stderr: expect.stringMatching(/Permission denied/),
          exitCode: expect.any(Number),
        });
      }
      const looked = await runIn(session.readOnly, ['cat', join(place.home, '.netrc')], { cwd: '/' });
      expect(looked).toMatchObject({ stdout: '', exitCode: 1 });
    });

    it('hides what other conversations were about', async () => {
      const place = newPlace();
      const session = join(place.codexHome, 'sessions/2026/01/02/rollout.jsonl');
      mkdirSync(dirname(session), { recursive: true });
      for (const path of [session, join(place.codexHome, 'history.jsonl')]) writeFileSync(path, 'what was said');
      writeFileSync(join(place.codexHome, 'state_5.sqlite'), 'what was said');
      const { bash } = open({}, place);
      const { stdout, stderr } = await bash(
        `cd ${place.codexHome}; cat ${session} history.jsonl state_*; ls -R sessions`,
      );
      expect(stdout.replaceAll('sessions:', '').trim()).toBe('');
      expect(stderr.match(/Permission denied/g)).toHaveLength(3);
    });

    it.each(['replaced', 'made'])('hides a login that is %s while a command runs', async (how) => {
      const place = newPlace();
      const path = join(place.codexHome, 'auth.json');
      writeFileSync(`${path}.new`, 'sk-of-a-later-login');
      const script = `touch ready; until [ -e .git/go ]; do sleep 0.02; done; cat ${path} ${place.codexHome}/*`;
      mkdirSync(join(place.workspace, '.git'));
      writeFileSync(join(place.workspace, '.git/HEAD'), '');
      const running = open({}, place).bash(script);
      while (!existsSync(join(place.workspace, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 20));
      if (how === 'made') rmSync(path);
      renameSync(`${path}.new`, path);
      writeFileSync(join(place.workspace, '.git/go'), '');
      expect(await running).toMatchObject({ stdout: 'be good', stderr: expect.stringContaining('auth.json: ') });
    });

    it.each([
      'umount $C/auth.json; umount $C; umount -l $C; umount -R -l /',
      'mkdir m; mount --bind $B m && ls m; mount --bind $C m; cat m/auth.json; mount --rbind $B m && umount -l m/codex; cat m/codex/auth.json',
      'mkdir m; mount --move $C m; mount --make-rprivate /; mount -o remount,rw $C; mount -t overlay -o lowerdir=$B x m; cat m/codex/auth.json',
      'mkdir m; mount -t tmpfs t m; mkdir m/old; pivot_root m m/old; umount -l m/old/$C; cat m/old/$C/auth.json',
      'mkdir m; mount -t proc p m; cat m/1/root/$C/auth.json m/1/cwd/../codex/auth.json',
      'cat /proc/*/root/$C/auth.json /proc/self/fd/*/codex/auth.json',
    ])('shows no login to a command that makes a namespace of its own: %s', async (script) => {
      const place = newPlace();
      const { bash } = open({}, place);
      const tries = `C=${place.codexHome} B=${place.base}; ${script}; cat $C/auth.json $C/../codex/auth.json`;
      writeFileSync(join(place.workspace, 'tries'), tries);
      const { stdout } = await bash(
        'unshare -Urm --propagation unchanged sh tries; unshare -Urmpf --mount-proc sh tries; sh tries',
      );
      expect(stdout).not.toContain('sk-of-the-daemon');
    });

    it('shows instructions and folders in the folder of Codex, even if links lead to them, and roots in it', async () => {
      const place = newPlace();
      const { codexHome } = place;
      const root = join(codexHome, 'worktrees/one');
      for (const folder of [root, join(codexHome, 'skills'), join(place.outside, 'prompts')]) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'text'), 'shown\n');
      }
      symlinkSync('../outside/prompts', join(codexHome, 'prompts'));
      const script = 'cat AGENTS.md prompts/text skills/text; echo own >worktrees/one/text; cat worktrees/one/text; ls';
      const { bash } = open({ writableRoots: [root] }, place);
      expect(await bash(script, codexHome)).toMatchObject({
        stdout: 'be goodshown\nshown\nown\nAGENTS.md\nauth.json\nprompts\nskills\nworktrees\n',
        stderr: '',
      });
      expect((await bash('echo x >skills/text; echo x >worktrees/text; echo x >x', codexHome)).stderr).toMatch(
        /(.*Read-only file system\n){3}/,
      );
      expect(readFileSync(join(root, 'text'), 'utf8')).toBe('own\n');
      expect(() => open({ cwd: codexHome }, place)).toThrow('no command may write');
    });

    it('shows a home in the folder of Codex, or as it, less the secrets that are there', async () => {
      const place = newPlace();
      writeFileSync(join(place.codexHome, '.profile'), 'shown');
      const { bash } = open({}, { ...place, home: place.codexHome });
      expect(await bash('cat ~/.profile ~/auth.json')).toMatchObject({
        stdout: 'shown',
        stderr: expect.stringMatching(/Permission denied/),
      });
    });

    it('shows a secret folder that is the workspace', async () => {
      const place = newPlace();
      const cwd = join(place.home, '.ssh');
      mkdirSync(cwd);
      writeFileSync(join(cwd, 'config'), 'Host x');
      expect(await open({ cwd }, place).bash('cat config', cwd)).toMatchObject({ stdout: 'Host x', exitCode: 0 });
    });

    it('shows no process outside, and no environment of one', async () => {
      const { bash } = open();
      const { stdout } = await bash('cat /proc/[0-9]*/environ | tr "\\0" "\\n" | sort -u; ls -d /proc/[0-9]* | wc -l');
      const lines = stdout.trim().split('\n');
      expect(Number(lines.pop())).toBeLessThan(12);
      const names = lines.map((line) => line.split('=')[0]);
      // CODEX_RX_PROCESS is that of the wrapper itself: by this mark the daemon finds what it started
      expect(
        names.filter(
          (name) =>
            ![
              'PATH',
              'HOME',
              'CODEX_SANDBOX_NETWORK_DISABLED',
              'CODEX_RX_PROCESS',
              'PWD',
              'SHLVL',
              '_',
              'OLDPWD',
              '',
            ].includes(name as string),
        ),
      ).toEqual([]);
    });

    it('does not show the environment of a command on a command line', async () => {
      const { session, workspace } = open();
      const secret = `s3cret-${process.pid}`;
      const running = runIn(session.asSet, ['sleep', '1'], { cwd: workspace, env: { PATH, SECRET: secret } });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const lines = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => {
          try {
            return readFileSync(`/proc/${name}/cmdline`, 'utf8');
          } catch {
            return ''; // it is gone
          }
        });
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
      await running;
    });

    it('does not let the environment of a command act outside', async () => {
      const { session, workspace, outside } = open();
      const evil = join(workspace, 'evil.sh');
      writeFileSync(evil, `echo x > ${outside}/new`);
      const env = {
        PATH,
        BASH_ENV: evil,
        ENV: evil,
        LD_PRELOAD: join(workspace, 'evil.so'),
        'BASH_FUNC_exec%%': `() { . ${evil}; }`,
      };
      await runIn(session.asSet, ['/bin/bash', '-c', 'echo'], { cwd: workspace, env });
      expect(readdirSync(outside)).toEqual(['secret']);
    });

    it('passes no open file of this process on', async () => {
      const { bash } = open();
      expect((await bash('ls /proc/self/fd')).stdout.trim().split('\n')).toEqual(['0', '1', '2', '3']); // 3: ls itself
    });
  });

  describe('network', () => {
    const servers: Server[] = [];
    const listen = (where: string | number): Promise<Server> =>
      new Promise((resolve) => {
        const server = createServer((socket) => socket.end('reached')).listen(where, () => resolve(server));
        servers.push(server);
      });
    const portOf = (server: Server) => (server.address() as { port: number }).port;
    const connect = (where: string) =>
      node(
        `require('net').connect(${where}).on('error', (e) => { console.error(e.message); process.exit(1) }).on('data', (d) => console.log(String(d)))`,
      );
    const programs: ChildProcess[] = [];
    afterAll(() => {
      for (const server of servers) server.close();
      for (const program of programs) program.kill();
    });

    it('is closed: no IPv4, no IPv6, no name, no Unix socket, no abstract one', async () => {
      const { session, workspace } = open();
      const server = await listen(0);
      const path = join(workspace, 'socket');
      await listen(path);
      await listen(`\\0codex-rx-${process.pid}`.replace('\\0', '\0'));
      for (const where of [
        `{ port: ${portOf(server)}, host: '127.0.0.1' }`,
        `{ port: ${portOf(server)}, host: '::1' }`,
        `{ port: 80, host: 'localhost' }`,
        `{ path: '${path}' }`,
        `{ path: '\\0codex-rx-${process.pid}' }`,
      ]) {
        const result = await runIn(session.asSet, connect(where), { cwd: workspace });
        expect({ where, ...result }).toEqual({
          where,
          stdout: '',
          stderr: expect.stringMatching(/EPERM|EAI_/),
          exitCode: 1,
        });
      }
    });

    it('is closed to datagrams of a pair of sockets, which could be sent anywhere', async () => {
      const { bash } = open();
      const script = `perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) or die "$!\\n"; print "open\\n"'`;
      expect(await bash(script)).toMatchObject({ stdout: '', stderr: 'Operation not permitted\n' });
    });

    it('leaves programs the pairs of sockets by which they talk to their own children', async () => {
      const { session, workspace } = open();
      const file = join(workspace, 'child.js');
      writeFileSync(
        file,
        `if (process.send) process.send('hello'); else require('child_process').fork(__filename).on('message', (m) => console.log(m))`,
      );
      expect(await runIn(session.asSet, [process.execPath, file], { cwd: workspace })).toMatchObject({
        stdout: 'hello\n',
        exitCode: 0,
      });
    });

    it('is named in the environment of commands', async () => {
      const script = 'echo "[$CODEX_SANDBOX_NETWORK_DISABLED]"';
      expect((await open().bash(script)).stdout).toBe('[1]\n');
      expect((await open({ networkAccess: true }).bash(script)).stdout).toBe('[]\n');
      expect((await open({ networkAccess: true, mode: 'read-only' }).bash(script)).stdout).toBe('[1]\n');
    });

    it('is open for IP if it is allowed, and for no Unix socket if the operator closes them', async () => {
      const { session, workspace } = open({ networkAccess: true, unixSockets: false });
      const server = await listen(0);
      const path = join(workspace, 'socket');
      await listen(path);
      const run = (where: string) => runIn(session.asSet, connect(where), { cwd: workspace });
      expect(await run(`{ port: ${portOf(server)}, host: '127.0.0.1' }`)).toMatchObject({
        stdout: 'reached\n',
        exitCode: 0,
      });
      expect(await run(`{ path: '${path}' }`)).toMatchObject({ stderr: expect.stringMatching(/EPERM/), exitCode: 1 });
    });

    it('is open for no Unix socket while a program outside listens on one that has no path', async () => {
      const { session, workspace } = open({ networkAccess: true });
      const name = `\\0${workspace}`;
      await listen(name.replace('\\0', '\0'));
      const { stderr, exitCode } = await runIn(session.asSet, connect(`{ path: '${name}' }`), { cwd: workspace });
      expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/EPERM/), exitCode: 1 });
    });

    it('is open for no Unix socket while a command without a network may have moved one of a program outside', async () => {
      for (const server of servers.splice(0)) server.close();
      const { workspace, bash, ...place } = open();
      mkdirSync(join(workspace, 'of/agents'), { recursive: true });
      await listen(join(workspace, 'of/agents/socket'));
      expect(await bash('mv of moved && mkdir -m 0 of')).toMatchObject({ exitCode: 0 });
      const { session } = open({ networkAccess: true }, { ...place, workspace });
      const argv = connect(`{ path: 'moved/agents/socket' }`);
      const { stdout, stderr } = await runIn(session.asSet, argv, { cwd: workspace });
      chmodSync(join(workspace, 'of'), 0o700); // to be removed
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringMatching(/EPERM/) });
    });

    it('leads to no Unix socket of a program in another network namespace, as containers and their servers are', async () => {
      for (const server of servers.splice(0)) server.close();
      const { session, workspace, outside } = open({ networkAccess: true });
      const listenAt = (path: string) =>
        `require('net').createServer((c) => c.end('reached')).listen('${path}', () => console.log('up'))`;
      const started = [
        ['--dev-bind', '/', '/', ...node(listenAt(join(outside, 'server')))],
        ['--ro-bind', '/', '/', '--tmpfs', '/mnt', '--bind', outside, '/mnt', ...node(listenAt('/mnt/inside'))],
      ].map((args) => spawn('bwrap', ['--unshare-net', '--die-with-parent', ...args]));
      programs.push(...started);
      for (const { stdout } of started) await once(stdout, 'data');
      for (const name of ['server', 'inside']) {
        const argv = connect(`{ path: '${join(outside, name)}' }`);
        const { stdout, stderr } = await runIn(session.asSet, argv, { cwd: workspace });
        expect({ name, stdout, stderr }).toEqual({
          name,
          stdout: '',
          stderr: expect.stringMatching(/EPERM|ECONNREFUSED/),
        });
      }
    });

    it('is open for the Unix sockets of commands if the operator wants it, and for none that a program outside has bound', async () => {
      const { session, workspace } = open({ networkAccess: true, unixSockets: true });
      const path = join(workspace, 'socket');
      await listen(path);
      const own = `require('net').createServer((c) => c.end('own')).listen('own', () => require('net').connect('own').on('data', (d) => { console.log(String(d)); process.exit() }))`;
      const run = (argv: string[]) => runIn(session.asSet, argv, { cwd: workspace });
      expect(await run(node(own))).toMatchObject({ stdout: 'own\n', exitCode: 0 });
      expect(await run(connect(`{ path: '${path}' }`))).toMatchObject({ stdout: '', exitCode: 1 });
      expect(await run(['/bin/bash', '-c', 'rm socket; mv socket other; ln socket other'])).toMatchObject({
        exitCode: 1,
        stderr: expect.not.stringMatching(/^$/),
      });
      expect(await run(connect(`{ path: 'other' }`))).toMatchObject({ stdout: '', exitCode: 1 });
    });
  });

  describe('processes', () => {
    it('sends no signal to a process outside', async () => {
      const { bash } = open();
      const victim = spawn('sleep', ['30']);
      const { exitCode, stderr } = await bash(`kill -9 ${victim.pid}`);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/No such process/) });
      expect(victim.exitCode).toBeNull();
      victim.kill();
    });

    it('has no capability, and none to gain', async () => {
      const { bash } = open();
      const { stdout } = await bash('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status');
      expect(stdout.replaceAll('\t', ' ')).toBe('CapEff: 0000000000000000\nCapBnd: 0000000000000000\nNoNewPrivs: 1\n');
    });

    it('neither traces the process that ends the sandbox with the server, nor writes into it', async () => {
      const calls = process.arch === 'arm64' ? [117, 271] : [101, 311];
      const tried = calls.map((number) => `syscall(${number}, $_[0], $_[1], 0, 0, 0, 0); print "$!\\n"`);
      const script = `perl -e 'sub t { ${tried[0]} } sub w { ${tried[1]} } t(16, 1); w(1, 0)'`;
      const { stdout } = await open().bash(script);
      expect(stdout).toBe('Operation not permitted\nOperation not permitted\n');
    });

    it('has no terminal to type into', async () => {
      const { bash } = open();
      expect((await bash('echo x > /dev/tty')).stderr).toMatch(/No such device or address/);
    });

    it('does not gain by a program that is set to run as root', async () => {
      const place = newPlace();
      const file = join(place.workspace, 'id');
      writeFileSync(file, readFileSync('/usr/bin/id'));
      chmodSync(file, 0o4755);
      const { stdout } = await open({}, place).bash('./id -u; grep NoNewPrivs /proc/self/status | cut -f2');
      expect(stdout).toBe(`${process.getuid?.()}\n1\n`);
    });
  });
});
