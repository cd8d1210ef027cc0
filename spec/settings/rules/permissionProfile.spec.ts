import { loaded } from '../deps';

const CONFIG = `default_permissions = "mine"
[permissions.mine]
extends = ":workspace"
`;
const env = { HOME: '/home/me' };
const withProfile = (filesystem: string, more = '') =>
  loaded({ toml: `${CONFIG}${more}\n[permissions.mine.filesystem]\n${filesystem}`, env });
const unkeptOf = (...given: Parameters<typeof withProfile>) => withProfile(...given).unkept;

describe('the permission profile of the user', () => {
  it('is none by default, and one of the built-in ones by its name', () => {
    expect(loaded({})).toMatchObject({ sandboxMode: 'read-only', alwaysSandboxed: false });
    expect(loaded({})).not.toHaveProperty('protectedPaths');
    expect(loaded({ toml: 'default_permissions = ":workspace"' }).sandboxMode).toBe('workspace-write');
    expect(loaded({ toml: 'default_permissions = ":danger-full-access"' }).sandboxMode).toBe('danger-full-access');
  });

  it('protects files from commands, and then nothing leads out of the sandbox', () => {
    const files = `"/a/secret" = "deny"\n"~/key" = "none"\n"/data" = "write"\n":slash_tmp" = "read"
[permissions.mine.filesystem.":workspace_roots"]\n".env" = "deny"\ndocs = "read"\n".git" = "read"\n"gen/**" = "deny"`;
    expect(withProfile(files)).toMatchObject({
      sandboxMode: 'workspace-write',
      alwaysSandboxed: true,
      workspaceWrite: {
        writableRoots: ['/project', '/data'],
        networkAccess: false,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: true,
      },
      protectedPaths: {
        denied: ['/project/.env', '/project/gen', '/a/secret', '/home/me/key'],
        readOnly: ['/project/docs'],
      },
    });
  });

  it('extends others, each over the one before, and counts even if there is a sandbox_mode', () => {
    const toml = `sandbox_mode = "danger-full-access"
default_permissions = "mine"
[permissions.base]
extends = ":read-only"
filesystem = { "/a" = "deny", "/b" = "deny" }
workspace_roots = { "/other" = true, "/off" = false }
[permissions.mine]
extends = "base"
filesystem = { "/b" = "read", ":workspace_roots" = { "x" = "write", "y" = "deny" } }
network = { enabled = true }`;
    expect(loaded({ toml })).toMatchObject({
      sandboxMode: 'workspace-write',
      workspaceWrite: { writableRoots: ['/project/x', '/other/x'], networkAccess: true },
      protectedPaths: { denied: ['/a', '/project/y', '/other/y'], readOnly: ['/b', '/project'] },
    });
  });

  it('lets the command line and a call take another mode, but not lift what it denies', () => {
    const world = { toml: `${CONFIG}filesystem = { "/a" = "deny" }` };
    expect(loaded(world, { sandbox: 'read-only' })).toMatchObject({
      sandboxMode: 'read-only',
      protectedPaths: { denied: ['/a'] },
    });
    expect(loaded({ ...world, overrides: ['sandbox_mode=read-only'] }).sandboxMode).toBe('read-only');
    expect(loaded(world, { sandbox: 'danger-full-access' }).unkept).toEqual([
      expect.stringMatching(/^sandbox_mode = "danger-full-access" cannot keep files from being read/),
    ]);
    const lifted =
      'default_permissions counts in config.toml and by -c only, not in a project, a profile or a call; set it there';
    expect(() => loaded(world, { config: { default_permissions: ':workspace' } })).toThrow(
      'a call may not set default_permissions',
    );
    const profiles = `profile = "p"\n${world.toml}\n[profiles.p]\ndefault_permissions = ":workspace"`;
    expect(loaded({ toml: profiles }).unkept).toEqual([lifted]);
  });

  const REMEDY = 'use --engine app-server, or change the profile';
  it.each<[filesystem: string, more: string, fault: string]>([
    ['":root" = "write"', '', 'config.toml:6: permissions.mine.filesystem.":root" is "write", which cannot be kept'],
    ['"a" = "deny"', '', 'config.toml:6: permissions.mine.filesystem.a is no absolute path'],
    ['"/a*" = "deny"', '', 'config.toml:6: permissions.mine.filesystem."/a*" is a pattern: only paths can be kept'],
    [
      '"/a" = "guess"',
      '',
      'config.toml:6: permissions.mine.filesystem."/a" is "guess", expected "read", "write" or "deny"',
    ],
    ['"/a" = { "../b" = "deny" }', '', 'config.toml:6: permissions.mine.filesystem."/a"."../b" is no path below it'],
    ['":tmpdir" = "deny"', '', 'config.toml:6: permissions.mine.filesystem.":tmpdir" cannot be denied'],
    [
      '"/a" = "deny"\n"/a/b" = "read"',
      '',
      'config.toml:7: permissions.mine.filesystem."/a/b" lies in a path that is denied',
    ],
    ['', 'other = 1', 'config.toml:4: permissions.mine.other is not known here'],
    [
      '',
      'network = { enabled = true, domains = {} }',
      'config.toml:4: permissions.mine.network.domains cannot be kept: hosts are not distinguished here',
    ],
  ])('cannot be kept with %j %j', (filesystem, more, fault) => {
    expect(unkeptOf(filesystem, more)).toEqual([`/home/${fault}; ${REMEDY}`]);
  });

  it('names each entry that cannot be kept', () => {
    expect(unkeptOf('"a" = "deny"\n"/b*" = "deny"\n"/c" = { "../d" = "deny", "e" = "x" }')).toEqual(
      ['a is no absolute path', '"/b*" is a pattern', '"/c"."../d" is no path', '"/c".e is "x"'].map((fault) =>
        expect.stringContaining(`permissions.mine.filesystem.${fault}`),
      ),
    );
    const more = 'network = { enabled = true, hosts = [] }';
    expect(unkeptOf('"/a" = "deny"\n"/a/b" = "read"\n"/a/c" = "read"', more)).toEqual([
      expect.stringContaining('permissions.mine.network.hosts cannot be kept'),
      expect.stringContaining('"/a/b" lies in a path that is denied'),
      expect.stringContaining('"/a/c" lies in a path that is denied'),
    ]);
  });

  it('cannot be kept if it reads some files only, is not there, or extends itself', () => {
    const unkept = (toml: string) => loaded({ toml: `default_permissions = "mine"\n${toml}` }).unkept;
    expect(unkept('permissions.mine.filesystem = { "/a" = "read" }')).toEqual([
      `/home/config.toml:2: permissions.mine.filesystem does not read ":root": that only some files can be read cannot be kept; ${REMEDY}`,
    ]);
    expect(unkept('')).toEqual([expect.stringContaining('permissions.mine is named as a profile, and is not there')]);
    expect(unkept('permissions.mine.extends = "mine"')).toEqual([expect.stringContaining('extends itself')]);
  });
});
