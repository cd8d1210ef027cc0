/** What a call may change under the flags of the server. Whole Configs are compared, as the ceiling is a part of making one. */

import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import type { CallLimits } from '../../../src/settings/deps';
import { limitCall } from '../../../src/settings/limits/limitCall';
import { ceilingOfServer } from '../../../src/settings/loadConfig';
import { depsOf, loaded, refusal, type World } from '../deps';

const limits = (own: Partial<CallLimits> = {}): CallLimits => ({
  lock: false,
  allowCallOverride: false,
  allowCallConfig: [],
  ...own,
});
const toml = `[profiles.loose]
approval_policy = "never"
sandbox_mode = "danger-full-access"
[profiles.sockets.sandbox_workspace_write]
unix_sockets = true
[profiles.devices.sandbox_workspace_write]
devices = ["/dev/kvm"]`;
const flags = [
  'approval_policy=untrusted',
  'sandbox_mode="workspace-write"',
  'sandbox_workspace_write.writable_roots=["same"]',
];
const world = (own: Partial<NonNullable<World>> = {}): World => ({ toml, overrides: flags, ...own });

describe('limitCall', () => {
  it.each<[ThreadSettings]>([
    [{ approvalPolicy: 'on-request' }],
    [{ approvalPolicy: 'never' }],
    [{ sandbox: 'danger-full-access' }],
    [{ profile: 'loose' }],
    [{ profile: 'sockets' }],
    [{ profile: 'devices' }],
    [{ config: { approval_policy: 'never' } }],
    [{ config: { sandbox_mode: 'danger-full-access' } }],
    [{ config: { profile: 'loose' } }],
    [{ config: { 'sandbox_workspace_write.network_access': true } }],
    [{ config: { sandbox_workspace_write: { writable_roots: ['/'] } } }],
    [{ cwd: '/u', config: { sandbox_workspace_write: { writable_roots: ['same'] } } }],
  ])('refuses a call that is looser than the flags: %j', (settings) => {
    expect(refusal(world(), settings)).toMatch(
      /^(?:the call asks for .*; a call may only be stricter, unless the server is started with --allow-call-override(?:\n|$))+$/,
    );
  });

  const bounded = {
    toml: 'max_tokens_per_turn = 100\n[profiles.wide]\nmax_tokens_per_turn = 200\n[profiles.low]\nmax_tokens_per_turn = 20',
  };

  it.each<[ThreadSettings, number]>([
    [{}, 100],
    [{ config: { max_tokens_per_turn: 100 } }, 100],
    [{ config: { max_tokens_per_turn: 50 } }, 50],
    [{ profile: 'low' }, 20],
    [{ maxTokensPerTurn: 10 }, 10],
  ])('lets a call lower a bound of config.toml: %j', (settings, maxTokensPerTurn) => {
    expect(loaded(bounded, settings)).toMatchObject({ maxTokensPerTurn });
    expect(loaded(bounded, settings)).not.toHaveProperty('maxRoundsPerTurn');
  });

  it.each<[ThreadSettings]>([
    [{ config: { max_tokens_per_turn: 101 } }],
    [{ config: { max_tokens_per_turn: { a: 1 } } }],
    [{ profile: 'wide' }],
    [{ maxTokensPerTurn: 101 }],
  ])('lets no call raise it: %j', (settings) => {
    expect(refusal(bounded, settings)).toMatch(/max_tokens_per_turn/);
  });

  it('names what the server allows, and lets a call set a bound where the operator set none', () => {
    expect(refusal(bounded, { config: { max_tokens_per_turn: 101 } })).toBe(
      'the call asks for max_tokens_per_turn = 101, and the server allows 100; a call may only lower it',
    );
    expect(loaded({}, { config: { max_commands_per_turn: 3 } })).toMatchObject({ maxCommandsPerTurn: 3 });
    expect(refusal({ overrides: ['max_rounds_per_turn=3'] }, { config: { max_rounds_per_turn: 4 } })).toContain(
      'allows 3',
    );
  });

  it('names each setting that is looser', () => {
    const lines = refusal(world(), { profile: 'loose' }).split('\n');
    expect(lines.map((line) => line.slice(0, 52))).toEqual([
      'the call asks for approval_policy = "never", looser ',
      'the call asks for sandbox_mode = "danger-full-access',
    ]);
  });

  it('names the key, the value and the flag', () => {
    expect(refusal(world(), { approvalPolicy: 'never' })).toBe(
      'the call asks for approval_policy = "never", looser than "untrusted", which is set by -c approval_policy on the server\'s command line; a call may only be stricter, unless the server is started with --allow-call-override',
    );
  });

  it.each<[ThreadSettings, object]>([
    [{ sandbox: 'read-only' }, { sandboxMode: 'read-only', approvalPolicy: 'untrusted' }],
    [{ approvalPolicy: 'untrusted' }, { sandboxMode: 'workspace-write', approvalPolicy: 'untrusted' }],
    [{ config: { 'sandbox_workspace_write.network_access': false } }, { workspaceWrite: { networkAccess: false } }],
    [{ config: { 'sandbox_workspace_write.unix_sockets': false } }, { workspaceWrite: { unixSockets: false } }],
    [
      { model: 'm', config: { model_reasoning_effort: 'high' } },
      { model: 'm', reasoningEffort: 'high' },
    ],
  ])('lets a call be stricter, or change what is no limit: %j', (settings, expected) => {
    expect(loaded(world(), settings)).toMatchObject(expected);
  });

  it('keeps a profile of the file below the flags', () => {
    expect(loaded(world({ profile: 'loose' }))).toMatchObject({
      approvalPolicy: 'untrusted',
      sandboxMode: 'workspace-write',
    });
  });

  it('lets a call override the file, as users of the original rely on', () => {
    const settings: ThreadSettings = { approvalPolicy: 'never', sandbox: 'danger-full-access' };
    const file = 'approval_policy = "untrusted"\nsandbox_mode = "read-only"';
    expect(loaded({ toml: file }, settings)).toMatchObject({
      approvalPolicy: 'never',
      sandboxMode: 'danger-full-access',
    });
    expect(refusal({ toml: file, limits: limits({ lock: true }) }, settings)).toContain(
      'which is set by the configuration that --lock makes a ceiling',
    );
  });

  it('lets a call override the flags if the operator allows it', () => {
    const settings: ThreadSettings = { profile: 'loose' };
    expect(loaded(world({ limits: limits({ allowCallOverride: true }) }), settings)).toMatchObject({
      approvalPolicy: 'never',
      sandboxMode: 'danger-full-access',
    });
  });

  it('keeps keys that run programs from calls also then', () => {
    const config = { 'mcp_servers.x.command': 'sh' };
    expect(refusal(world({ limits: limits({ allowCallOverride: true }) }), { config })).toContain(
      '--allow-call-config mcp_servers',
    );
  });

  it.each(['mcp_servers.x.command', 'model_providers.x.base_url'])(
    'lets a client bring %s, but not below a sandbox',
    (key) => {
      const brought = limits({ bringsServers: true });
      const config = { [key]: 'x', ...(key.startsWith('model') && { 'model_providers.x.name': 'X' }) };
      expect(() => loaded(world({ limits: brought, overrides: [] }), { config })).not.toThrow();
      const sandboxed = world({ limits: brought, overrides: ['sandbox_mode=workspace-write'] });
      expect(refusal(sandboxed, { config })).toContain('--allow-call-config');
    },
  );

  it.each<[string, ThreadSettings, string[]]>([
    ['model_provider', { config: { model_provider: 'oss' } }, ['model_provider=openai']],
    [
      'shell_environment_policy.inherit',
      { config: { 'shell_environment_policy.inherit': 'all' } },
      ['shell_environment_policy.inherit=none'],
    ],
  ])('keeps %s as the flags set it', (key, settings, overrides) => {
    expect(refusal({ overrides }, settings)).toContain(`the call asks for ${key} = `);
    expect(() => loaded({}, settings)).not.toThrow();
  });

  it.each<[string, object]>([
    ['tools.view_image=false', { 'tools.view_image': true }],
    ['tools.web_search=false', { 'tools.web_search': true }],
    ['tools.web_search=false', { tools: { web_search_request: true } }],
    ['tools.web_search=false', { web_search: 'live' }],
    ['web_search=disabled', { 'tools.web_search': true }],
    ['tools.web_search=false', { features: { web_search_request: true } }],
  ])('keeps a tool off that the flag %s switched off: %j', (flag, config) => {
    expect(refusal({ overrides: [flag] }, { config: { ...config } })).toContain(
      `more than -c ${flag.split('=')[0]} on the server's command line allows; a call may only be stricter`,
    );
    expect(() => loaded({}, { config: { ...config } })).not.toThrow();
    expect(() => loaded({ overrides: [flag] }, { config: { 'tools.web_search': false } })).not.toThrow();
  });

  it.each<[string, object]>([
    ['sandbox_mode=read-only', { default_permissions: ':danger-full-access' }],
    ['sandbox_mode=read-only', { default_permissions: 'p', permissions: { p: { network: { enabled: true } } } }],
    ['sandbox_mode=read-only', { 'permissions.p.filesystem': { ':root': 'write' } }],
    ['approval_policy=untrusted', { approvals_reviewer: 'auto_review' }],
  ])('keeps what newer releases of Codex have instead of %s under it, if calls may set that: %j', (flag, config) => {
    const allowed = limits({ allowCallConfig: Object.keys(config).map((key) => `${key.split('.')[0]}`) });
    expect(refusal({ overrides: [flag], limits: allowed }, { config: { ...config } })).toContain(
      `more than -c ${flag.split('=')[0]} on the server's command line allows`,
    );
  });

  it.each<[string, object]>([
    ['approval_policy=untrusted', { approval_policy: { granular: { sandbox_approval: true } } }],
    ['approval_policy=untrusted', { 'approval_policy.granular.rules': true }],
    ['approval_policy={granular={rules=false}}', { approval_policy: 'never' }],
    ['sandbox_mode=read-only', { sandbox_mode: 'external-sandbox' }],
  ])('keeps forms that only an installed Codex knows, which nothing else checks, under %s: %j', (flag, config) => {
    const deps = depsOf({ overrides: [flag] });
    const call = () => limitCall(deps, { settings: { config: { ...config } }, ceiling: ceilingOfServer(deps) });
    expect(call).toThrow(/a call may only be stricter/);
  });

  it.each(['/etc', '..', '/project-2'])('keeps threads in the folder of the server under --lock: %s', (cwd) => {
    expect(refusal({ limits: limits({ lock: true }) }, { cwd })).toBe(
      `argument cwd: ${cwd} is outside of /project, where the flag --lock keeps threads; name a folder in it`,
    );
    expect(loaded({}, { cwd }).cwd).not.toBe('/project');
  });

  it('follows links under --lock', () => {
    const links: Record<string, string> = { '/project/link': '/etc', '/project/sub': '/project/real' };
    const world = { limits: limits({ lock: true }), realpath: (path: string) => links[path] ?? path };
    expect(refusal(world, { cwd: 'link' })).toContain('argument cwd: link is outside of /project');
    expect(loaded(world, { cwd: 'sub' }).cwd).toBe('/project/sub');
  });

  it('lets a call name a folder inside under --lock', () => {
    expect(loaded({ limits: limits({ lock: true }) }, { cwd: 'sub' }).cwd).toBe('/project/sub');
  });

  it.each<[string, string[], boolean]>([
    ['never with a sandbox', ['approval_policy=never', 'sandbox_mode=workspace-write'], true],
    ['never without one', ['approval_policy=never', 'sandbox_mode=danger-full-access'], false],
    ['never alone', ['approval_policy=never'], false],
    ['questions', ['approval_policy=on-request', 'sandbox_mode=read-only'], false],
  ])('keeps everything in the sandbox if the flags ask for %s', (_, overrides, alwaysSandboxed) => {
    expect(loaded({ overrides }, { approvalPolicy: 'untrusted' }).alwaysSandboxed).toBe(alwaysSandboxed);
  });
});
