import { toObject } from '../../../src/protocol/jsonrpc/json';
import { type Toml, tableOf } from '../../../src/settings/layer';
import { projectFilesIn, projectLayers, trustOf } from '../../../src/settings/layers/projectLayer';
import { loadConfig } from '../../../src/settings/loadConfig';
import { configJsonSchema } from '../../../src/settings/schema/schema';
import { depsOf, loaded, refusal, type World } from '../deps';

const trusted = { approval_policy: 'on-request', sandbox_mode: 'workspace-write' };
const projects = (levels: Record<string, Toml>) => [
  [
    {
      path: [],
      value: tableOf({
        projects: tableOf(
          ...Object.entries(levels).map(([root, trust_level]) => ({ [root]: tableOf({ trust_level }) })),
        ),
      }),
      folder: '/home',
      where: (path: readonly string[]) => `line of ${path.join(' ')}`,
    },
  ],
];
/** `/repo` is a repository; `/link` is a link to `/repo/sub`. */
const deps = depsOf({
  isDirectory: (path) => path === '/repo/.git',
  realpath: (path) => (path === '/link' ? '/repo/sub' : path),
});
const layer = (cwd: string, levels: Record<string, Toml>) =>
  trustOf(deps, cwd, projects(levels)).layer.map(({ where, value, folder }) => ({
    value: { ...(value as object) },
    folder,
    where: where([]),
  }));
const of = (value: object, cwd: string, root: string) => [
  { value, folder: cwd, where: `line of projects ${root} trust_level` },
];

describe('trustOf', () => {
  it.each([
    ['the folder itself     ', '/w', { '/w': 'trusted' }, of(trusted, '/w', '/w')],
    ['an untrusted folder   ', '/w', { '/w': 'untrusted' }, of({ approval_policy: 'untrusted' }, '/w', '/w')],
    ['its repository        ', '/repo/sub', { '/repo': 'trusted' }, of(trusted, '/repo/sub', '/repo')],
    [
      'the nearest of both   ',
      '/repo/sub',
      { '/repo': 'trusted', '/repo/sub': 'untrusted' },
      of({ approval_policy: 'untrusted' }, '/repo/sub', '/repo/sub'),
    ],
    ['what a link leads to  ', '/link', { '/repo': 'trusted' }, of(trusted, '/link', '/repo')],
    ['no other folder       ', '/other', { '/repo': 'trusted' }, []],
    ['no folder above       ', '/w/sub', { '/w': 'trusted' }, []],
    ['no other level        ', '/w', { '/w': 'toString' }, []],
    ['no projects           ', '/w', {}, []],
  ])('has the defaults of %s', (_, cwd, levels, expected) => {
    expect(layer(cwd, levels)).toEqual(expected);
  });
});

const TRUST = '[projects."/repo"]\ntrust_level = "trusted"\n';
/** A thread in `/repo/sub`, a folder of the trusted repository `/repo`, with these files. */
const world = (root: string, below = '', more: Partial<World> = {}): World => ({
  toml: TRUST,
  cwd: '/repo/sub',
  isDirectory: (path) => path === '/repo/.git' || !path.includes('.git'),
  files: { '/repo/.codex/config.toml': root, '/repo/sub/.codex/config.toml': below },
  ...more,
});
const SERVER = '[mcp_servers.s]\ncommand = "s"\n';

describe('the settings of a trusted project', () => {
  it('are above config.toml, and below the flags, the call and the profile', () => {
    const toml = `model = "own"\nmodel_verbosity = "low"\n${TRUST}[profiles.p]\nmodel_reasoning_summary = "concise"\n`;
    const project =
      'model = "theirs"\nmodel_reasoning_summary = "none"\nmodel_reasoning_effort = "high"\nservice_tier = "flex"';
    expect(
      loaded(
        world(project, 'service_tier = "fast"', { toml, overrides: ['model_reasoning_effort=low'], profile: 'p' }),
      ),
    ).toMatchObject({ model: 'theirs', reasoningSummary: 'concise', reasoningEffort: 'low', serviceTier: 'priority' });
    expect(loaded(world(project, '', { toml }), { model: 'of the call' })).toMatchObject({ model: 'of the call' });
  });

  it('are these keys: a new key is decided to be one of them, or a key of OF_USER', () => {
    const keys = Object.keys(toObject(configJsonSchema().properties));
    const text = keys.map((key) => `${key} = 1\n`).join('');
    const layers = projectLayers(depsOf(world(text, text)), ['/repo', '/repo/sub']);
    const [root = [], below = []] = layers.map(([setting]) => Object.keys(toObject(setting?.value)).sort());
    expect({ below, rootOnly: root.filter((key) => !below.includes(key)) }).toEqual({
      below: [
        ...['compact_prompt', 'developer_instructions', 'model', 'model_auto_compact_token_limit'],
        ...['model_context_window', 'model_max_output_tokens', 'model_reasoning_effort', 'model_reasoning_summary'],
        ...['model_supports_reasoning_summaries', 'model_verbosity', 'project_doc_fallback_filenames'],
        ...['project_doc_max_bytes', 'service_tier', 'show_raw_agent_reasoning'],
      ],
      rootOnly: [
        ...['approval_policy', 'default_permissions', 'disable_response_storage', 'experimental_instructions_file'],
        ...['history', 'mcp_servers', 'model_instructions_file', 'permissions', 'project_root_markers', 'sandbox_mode'],
        ...['sandbox_workspace_write', 'shell_environment_policy', 'tools', 'web_search'],
      ],
    });
  });

  it('name a file of instructions from the folder `.codex` on', () => {
    const files = { '/repo/.codex/config.toml': 'model_instructions_file = "i.md"', '/repo/.codex/i.md': 'be brief' };
    expect(loaded(world('', '', { files })).baseInstructions).toBe('be brief');
  });

  it('may start servers and widen the sandbox at the root, from whose folder `.codex` paths begin', () => {
    const roots = '[sandbox_workspace_write]\nwritable_roots = ["../out"]\nnetwork_access = true\n';
    expect(loaded(world(`approval_policy = "never"\n${SERVER}${roots}`))).toMatchObject({
      approvalPolicy: 'never',
      mcpServers: { s: { command: 's' } },
      workspaceWrite: { writableRoots: ['/repo/out'], networkAccess: true },
    });
  });

  it.each([
    [
      'model_provider = "oss"',
      '',
      '/repo/.codex/config.toml:1: model_provider has no effect: a project may not set it; set it in /home/config.toml',
    ],
    [
      'notify = ["x"]',
      '',
      '/repo/.codex/config.toml:1: notify has no effect: a project may not set it; set it in /home/config.toml',
    ],
    [
      'max_tokens_per_turn = 1000000',
      '',
      '/repo/.codex/config.toml:1: max_tokens_per_turn has no effect: a project may not set it; set it in /home/config.toml',
    ],
    [
      'features.hooks = false',
      '',
      '/repo/.codex/config.toml:1: features has no effect: a project may not set it; set it in /home/config.toml',
    ],
    [
      '',
      'sandbox_mode = "danger-full-access"',
      '/repo/sub/.codex/config.toml:1: sandbox_mode has no effect: a command in the project can write this file; set it in /repo/.codex/config.toml',
    ],
    [
      '',
      SERVER,
      '/repo/sub/.codex/config.toml:1: mcp_servers has no effect: a command in the project can write this file; set it in /repo/.codex/config.toml',
    ],
    [
      'mdoel = "x"',
      '',
      '/repo/.codex/config.toml:1: mdoel is no key of the configuration, and has no effect; did you mean model?',
    ],
  ])('have limits: %j at the root, %j below', (root, below, warning) => {
    const { warnings, ...config } = loaded(world(root, below));
    const { warnings: _, ...without } = loaded(world('', ''));
    expect(warnings).toEqual([warning]);
    expect(config).toEqual(without);
  });

  it.each([
    ['500 values    ', '', Array.from({ length: 501 }, (_, at) => `k${at} = 1`).join('\n')],
    ['500 values    ', '', `x = [\n${'1,\n'.repeat(501)}]`],
    ['262144 characters', '', `# ${'a'.repeat(262_144)}`],
  ])(
    'are refused if they are more than %s, so that a file which a command can write holds up no server',
    (limit, root, below) => {
      expect(refusal(world(root, below))).toContain(
        `/repo/sub/.codex/config.toml: it has more than ${limit.trim()}; remove`,
      );
    },
  );

  it('count only of a folder that is trusted', () => {
    const project = 'model = "theirs"';
    expect(loaded(world(project, '', { toml: '' }))).toMatchObject({ model: 'gpt-5', warnings: [] });
    const untrusted = '[projects."/repo"]\ntrust_level = "untrusted"';
    expect(loaded(world(project, '', { toml: untrusted }))).toMatchObject({
      model: 'gpt-5',
      approvalPolicy: 'untrusted',
    });
    const below = '[projects."/repo/sub"]\ntrust_level = "trusted"';
    expect(loaded(world(project, 'service_tier = "flex"', { toml: below }))).toMatchObject({
      model: 'gpt-5',
      serviceTier: 'flex',
    });
  });

  it('are found from a marker, of which `.git` is one even as a file', () => {
    const files = { '/repo/.git': 'gitdir: /elsewhere', '/repo/.codex/config.toml': 'model = "theirs"' };
    expect(loaded(world('', '', { files, isDirectory: (path) => !path.includes('.git') }))).toMatchObject({
      model: 'theirs',
    });
    const marked = { '/repo/go.mod': '', '/repo/.codex/config.toml': 'model = "theirs"' };
    const toml = `project_root_markers = ["go.mod"]\n${TRUST}`;
    const isDirectory = (path: string) => !/git|go\.mod/.test(path);
    expect(loaded(world('', '', { toml, files: marked, isDirectory }))).toMatchObject({ model: 'theirs' });
  });

  it('are found from a marker that is never read, as it may be of any size', () => {
    const deps = depsOf(world('model = "theirs"', '', { isDirectory: (path) => !path.includes('.git') }));
    const readFile = (path: string) => {
      if (path.endsWith('/.git')) throw new Error('it has 1500000000 bytes');
      return deps.readFile(path);
    };
    expect(loadConfig({ ...deps, readFile, exists: (path) => path === '/repo/.git' })({}).model).toBe('theirs');
  });

  it('cannot set permissions, or hooks that may refuse', () => {
    expect(loaded(world('default_permissions = ":danger-full-access"')).unkept).toEqual([
      expect.stringContaining('default_permissions counts in config.toml and by -c only'),
    ]);
    expect(loaded(world('[[hooks.PreToolUse]]\nhooks = []')).unkept).toEqual([
      expect.stringContaining('/repo/.codex/config.toml:1: the hook PreToolUse cannot be kept'),
    ]);
  });

  it('stay below the ceiling of the flags, and under --lock belong to the project of the server', () => {
    expect(
      loaded(world('sandbox_mode = "danger-full-access"', '', { overrides: ['sandbox_mode="read-only"'] })),
    ).toMatchObject({
      sandboxMode: 'read-only',
    });
    const limits = { lock: true, allowCallOverride: false, allowCallConfig: [] };
    const locked = world(SERVER, '', { cwd: '/repo', limits });
    expect(loaded(locked).mcpServers).toHaveProperty('s');
    const above = loaded({ ...locked, cwd: '/' }, { cwd: '/repo' });
    expect(above).toMatchObject({
      mcpServers: {},
      warnings: [expect.stringContaining('the flag --lock keeps to the project of /')],
    });
  });

  it('of a file with faults are refused, with the line', () => {
    expect(refusal(world('model = 3'))).toBe('/repo/.codex/config.toml:1: model is 3, expected a string');
    expect(refusal(world('model ='))).toContain('/repo/.codex/config.toml:1:8: not TOML');
  });

  it('are protected from threads that may write the folder of the project', () => {
    const projects = {
      '/w/a': { trust_level: 'trusted' },
      '/w': { trust_level: 'trusted' },
      '/w/b': {},
      '/x': { trust_level: 'trusted' },
    };
    expect(projectFilesIn(depsOf(), projects, ['/w', '/y'])).toEqual(['/w/a/.codex']);
    const toml = `sandbox_mode = "workspace-write"\n${TRUST}`;
    expect(loaded({ toml, cwd: '/' }).protectedPaths).toEqual({ denied: [], readOnly: ['/repo/.codex'] });
    expect(loaded({ toml, cwd: '/repo' })).not.toHaveProperty('protectedPaths');
  });
});

describe('a writable root that is no folder', () => {
  it('is named', () => {
    const toml = 'sandbox_mode = "workspace-write"\nsandbox_workspace_write.writable_roots = ["/w/nothing", "/w/a"]';
    expect(loaded({ toml }).warnings).toEqual([
      'the writable root /w/nothing is no folder, and is left out; make it, or name another',
    ]);
  });
});
