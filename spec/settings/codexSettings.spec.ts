import type { ThreadSettings } from '../../src/protocol/codex/settings';
import type { JsonObject } from '../../src/protocol/jsonrpc/json';
import { boundsOfThread, type CodexSettings, codexSettings, keepPermissions } from '../../src/settings/codexSettings';
import { depsOf, type World } from './deps';

const settings = (world: World, home: 'same' | 'other' = 'same') => codexSettings(depsOf(world), home);
const ASKS = 'approval_policy="on-request"';
const untrusted = { approval_policy: 'untrusted' };
const toml = 'approval_policy = "untrusted"\n';

describe('codexSettings', () => {
  it.each<[string, World, CodexSettings]>([
    ['nothing', {}, { overrides: [], config: {} }],
    [
      'flags that any Codex takes, as they are',
      { overrides: ['a.b=1', 'model_verbosity=low', 'approval_policy=never', 'sandbox_mode="read-only"'] },
      {
        overrides: ['a.b=1', 'model_verbosity=low', 'approval_policy=never', 'sandbox_mode="read-only"'],
        config: {},
        policy: 'never',
        mode: 'read-only',
      },
    ],
    [
      'the policy untrusted of a flag for each thread, and a policy that asks for its process',
      { overrides: ['approval_policy=untrusted', 'c=d'] },
      { overrides: ['c=d', ASKS], config: untrusted, policy: 'untrusted' },
    ],
    ['that of config.toml too', { toml }, { overrides: [ASKS], config: untrusted }],
    [
      'a flag before config.toml',
      { toml, overrides: ['approval_policy=never'] },
      { overrides: ['approval_policy=never'], config: {}, policy: 'never' },
    ],
    [
      'the last of several flags',
      { overrides: ['approval_policy=untrusted', 'approval_policy=on-request'] },
      { overrides: ['approval_policy=on-request'], config: {}, policy: 'on-request' },
    ],
    ['a config.toml that cannot be read as Codex finds it', { toml: 'a = [' }, { overrides: [], config: {} }],
    ['a profile, which is read here', { overrides: ['profile=fast'] }, { overrides: [], config: {}, profile: 'fast' }],
    [
      'the profile of -p before that of -c',
      { profile: 'slow', overrides: ['profile=fast'] },
      { overrides: [], config: {}, profile: 'slow' },
    ],
    [
      'the local provider by its newer name',
      { overrides: ['model_provider="oss"'] },
      { overrides: ['model_provider="ollama"'], config: {} },
    ],
    [
      'a provider of that name that the operator defined',
      { toml: '[model_providers.oss]\nname = "own"\n', overrides: ['model_provider=oss'] },
      { overrides: ['model_provider=oss'], config: {} },
    ],
    [
      'variables as texts',
      { overrides: ['shell_environment_policy.set.CI=1', 'mcp_servers.s.env.DEBUG=true', 'mcp_servers.s.env.A=b'] },
      {
        overrides: ['shell_environment_policy.set.CI="1"', 'mcp_servers.s.env.DEBUG="true"', 'mcp_servers.s.env.A="b"'],
        config: {},
      },
    ],
    [
      'a file of instructions for each thread, from whose folder it is read',
      { overrides: ['model_instructions_file=own.md'] },
      { overrides: [], config: { model_instructions_file: 'own.md' } },
    ],
    [
      'no key of ours',
      { overrides: ['environment_id=box', 'allowed_environments = ["box"]', 'thread_store=files', 'nats.user=a'] },
      { overrides: [], config: {} },
    ],
  ])('has %s', (_, world, expected) => {
    expect(settings(world)).toEqual(expected);
  });

  it('keeps bounds of turns here, as no Codex knows them', () => {
    const overrides = ['max_tokens_per_turn=9', 'model_verbosity=low'];
    expect(settings({ overrides })).toEqual({ overrides: ['model_verbosity=low'], config: {} });
  });

  it('leaves out config.toml of this machine for a Codex on another', () => {
    expect(settings({ toml }, 'other')).toEqual({ overrides: [], config: {} });
  });

  it('has what --lock makes a ceiling', () => {
    const limits = { lock: true, allowCallOverride: false, allowCallConfig: [] };
    expect(settings({ toml, limits })).toEqual({
      overrides: [ASKS],
      config: untrusted,
      policy: 'untrusted',
      mode: 'read-only',
    });
  });
});

describe('keepPermissions', () => {
  const toml = 'default_permissions = "mine"';
  const refusal = (world: World, call: ThreadSettings): string => {
    try {
      keepPermissions(depsOf(world), call);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('refuses a call that would lift the permission profile of the operator', () => {
    const lifted =
      'a call may not name a sandbox, because that lifts the permission profile mine of config.toml; leave it out, or start the server with --allow-call-override';
    expect(refusal({ toml }, { sandbox: 'read-only' })).toBe(`argument sandbox: ${lifted}`);
    expect(refusal({ overrides: [toml] }, { config: { 'permissions.mine.filesystem': {} } })).toBe(
      `argument config, key permissions: ${lifted}`,
    );
  });

  it('does not concern other calls, nor operators who name a sandbox or let calls decide', () => {
    const limits = { lock: false, allowCallOverride: true, allowCallConfig: [] };
    expect(refusal({ toml }, { config: { model: 'm' } })).toBe('');
    expect(refusal({ toml: 'default_permissions = ":workspace"' }, { sandbox: 'read-only' })).toBe('');
    expect(refusal({ toml, overrides: ['sandbox_mode=read-only'] }, { sandbox: 'read-only' })).toBe('');
    expect(refusal({ toml, limits }, { sandbox: 'read-only' })).toBe('');
  });
});

describe('boundsOfThread', () => {
  const world = {
    toml: 'max_tokens_per_turn = 90\nmax_rounds_per_turn = 5\nmodel = 7',
    overrides: ['max_rounds_per_turn=4'],
  };

  it.each<[string, ThreadSettings, object | undefined, object]>([
    ['the flags, then config.toml', {}, undefined, { maxTokensPerTurn: 90, maxRoundsPerTurn: 4 }],
    ['a profile over these', {}, { max_tokens_per_turn: 80n }, { maxTokensPerTurn: 80, maxRoundsPerTurn: 4 }],
    [
      'the keys of the call',
      { config: { max_rounds_per_turn: 3, max_commands_per_turn: 2 } },
      undefined,
      { maxTokensPerTurn: 90, maxRoundsPerTurn: 3, maxCommandsPerTurn: 2 },
    ],
    [
      'what is kept with the thread, and no value of another type',
      { maxTokensPerTurn: 7, config: { max_tokens_per_thread: 'many' } },
      undefined,
      { maxTokensPerTurn: 7, maxRoundsPerTurn: 4 },
    ],
  ])('has %s', (_, thread, profile, bounds) => {
    expect(boundsOfThread(depsOf(world), thread, profile as JsonObject | undefined)).toEqual(bounds);
  });

  it('has the bounds of a file that this program cannot read as a whole, and none of a file that is no TOML', () => {
    expect(
      boundsOfThread(depsOf({ toml: 'approval_policy = { granular = {} }\nmax_rounds_per_turn = 2' }), {}),
    ).toEqual({
      maxRoundsPerTurn: 2,
    });
    expect(boundsOfThread(depsOf({ toml: '= no' }), {})).toEqual({});
  });
});
