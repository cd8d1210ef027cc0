import { type FindDeps, findCodex } from '../../../src/io/processes/findCodex';

/** A machine with these files; a folder is whatever a file stands in. */
const machine = (files: string[], more: Partial<FindDeps> = {}): FindDeps => ({
  env: { PATH: '/bin:/usr/bin' },
  platform: 'linux',
  arch: 'x64',
  node: '/opt/node/bin/node',
  isFile: (path) => files.includes(path),
  isFolder: (path) => files.some((file) => file.startsWith(`${path}/`)),
  realpath: (path) => path,
  ...more,
});

const NPM = '/opt/node/lib/node_modules/@openai/codex';
const VENDOR = `${NPM}/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl`;

describe('findCodex', () => {
  it.each<[string, string[], Partial<FindDeps>, string | undefined]>([
    ['what the person named', ['/x/codex', '/bin/codex'], { option: '/x/codex' }, '/x/codex'],
    ['what CODEX_BIN names', ['/y/codex', '/bin/codex'], { env: { CODEX_BIN: '/y/codex', PATH: '/bin' } }, '/y/codex'],
    ['nothing else than what was named', ['/bin/codex'], { option: '/x/codex' }, undefined],
    ['the first on PATH', ['/usr/bin/codex', '/bin/codex'], {}, '/bin/codex'],
    ['where Homebrew puts it, under a bare PATH', ['/opt/homebrew/bin/codex'], { env: {} }, '/opt/homebrew/bin/codex'],
    ['beside Node', ['/opt/node/bin/codex'], { env: {} }, '/opt/node/bin/codex'],
    ['in the prefix of npm', ['/pre/bin/codex'], { env: { npm_config_prefix: '/pre' } }, '/pre/bin/codex'],
  ])('finds %s', (_, files, more, path) => {
    const found = findCodex(machine(files, more));
    expect('path' in found ? found.path : undefined).toBe(path);
  });

  it('names the places it looked in', () => {
    expect(findCodex(machine([], { option: '/x/codex' }))).toEqual({ looked: ['/x/codex'], isNamed: true });
    const found = findCodex(machine([]));
    expect('looked' in found && found.looked).toEqual(
      expect.arrayContaining(['/bin', '/usr/bin', '/usr/local/bin', '/opt/node/bin']),
    );
  });

  it("starts the program behind npm's launcher, with the tools it brings along on its PATH", () => {
    const launcher = `${NPM}/bin/codex.js`;
    const program = `${VENDOR}/bin/codex`;
    const files = ['/opt/node/bin/codex', launcher, program, `${VENDOR}/codex-path/rg`];
    expect(findCodex(machine(files, { realpath: () => launcher }))).toEqual({
      path: '/opt/node/bin/codex',
      argv: [program],
      folders: [`${VENDOR}/codex-path`],
    });
  });

  it('starts the launcher by this Node where there is no such program', () => {
    const launcher = `${NPM}/bin/codex.js`;
    const found = findCodex(machine(['/opt/node/bin/codex'], { realpath: () => launcher, arch: 'riscv64' }));
    expect(found).toMatchObject({ argv: ['/opt/node/bin/node', launcher], folders: [] });
  });

  it('looks behind the batch file of Windows', () => {
    const shim = '/npm/codex.cmd';
    const script = '/npm/node_modules/@openai/codex/bin/codex.js';
    const deps = machine([shim, script], { platform: 'win32', env: { PATH: '/npm' }, node: 'node.exe' });
    expect(findCodex(deps)).toMatchObject({ path: shim, argv: ['node.exe', script] });
  });
});
