import { firstValueFrom } from 'rxjs';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { getConfigToml, getUserSavedConfig } from '../../../src/server/codex/savedConfig';
import { ConfigError } from '../../../src/settings/faults/configError';
import { asked } from '../../protocol/methods/host';

const saved: JsonObject = {
  model: 'm',
  approval_policy: 'on-failure',
  sandbox_mode: 'workspace-write',
  sandbox_workspace_write: { writable_roots: ['/w'], network_access: true },
  model_reasoning_effort: 'high',
  profile: 'work',
  tools: { web_search: true },
  model_providers: { p: { http_headers: { authorization: 'secret' } } },
  profiles: { work: { model: 'pm', model_provider: 'p' }, bare: {} },
};

const none = { model: null, approvalPolicy: null, modelReasoningEffort: null };

describe('getConfigToml', () => {
  const run = (config: JsonObject) =>
    firstValueFrom(getConfigToml({ savedConfig: () => config })(asked('getConfigToml')));

  it('shows what 0.28.0 shows, and no more', async () => {
    expect(await run(saved)).toEqual({
      kind: 'result',
      result: {
        approvalPolicy: 'on-failure',
        sandboxMode: 'workspace-write',
        modelReasoningEffort: 'high',
        profile: 'work',
        profiles: { work: { ...none, model: 'pm' }, bare: none },
      },
    });
    expect(await run({})).toEqual({ kind: 'result', result: { profiles: {} } });
  });

  it('fails with the reason if the file cannot be read', async () => {
    const savedConfig = () => {
      throw new ConfigError('/h/config.toml:3: not TOML');
    };
    await expect(firstValueFrom(getConfigToml({ savedConfig })(asked('getConfigToml')))).rejects.toMatchObject({
      code: -32603,
      message: 'failed to load config.toml: /h/config.toml:3: not TOML',
    });
  });
});

describe('getUserSavedConfig', () => {
  it('shows what later releases show, and no secret', async () => {
    const run = getUserSavedConfig({ savedConfig: () => saved });
    expect(await firstValueFrom(run(asked('getUserSavedConfig')))).toEqual({
      kind: 'result',
      result: {
        config: {
          approvalPolicy: 'on-failure',
          sandboxMode: 'workspace-write',
          sandboxSettings: { writableRoots: ['/w'], networkAccess: true },
          model: 'm',
          modelReasoningEffort: 'high',
          tools: { webSearch: true },
          profile: 'work',
          profiles: { work: { model: 'pm', modelProvider: 'p' }, bare: {} },
        },
      },
    });
  });
});
