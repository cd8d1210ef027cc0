import { withTurnSettings } from '../../../src/protocol/codex/settings';

describe('withTurnSettings', () => {
  it('lays the settings of a turn over those of the thread, and leaves what is not given', () => {
    const thread = { model: 'a', cwd: '/w', config: { hide: true } };
    expect(withTurnSettings(thread, { model: 'b', cwd: undefined, effort: 'low' })).toEqual({
      model: 'b',
      cwd: '/w',
      effort: 'low',
      config: { hide: true },
    });
  });

  it.each([
    [{ mode: 'read-only' } as const, {}],
    [{ mode: 'workspace-write' } as const, {}],
    [
      { mode: 'workspace-write', networkAccess: false, excludeSlashTmp: true } as const,
      { 'sandbox_workspace_write.network_access': false, 'sandbox_workspace_write.exclude_slash_tmp': true },
    ],
  ])('writes the sandbox %j as keys of config.toml', (sandbox, config) => {
    expect(withTurnSettings({ config: { hide: true } }, { sandbox })).toEqual({
      sandbox: sandbox.mode,
      config: { hide: true, ...config },
    });
  });

  it('leaves the folder behind where a thread moves to another machine, unless it names one there', () => {
    const thread = { cwd: '/w', config: { hide: true } };
    const config = { hide: true, environment_id: 'box' };
    expect(withTurnSettings(thread, { environmentId: 'box' })).toEqual({ config });
    expect(withTurnSettings(thread, { environmentId: 'box', cwd: '/there' })).toEqual({ cwd: '/there', config });
  });
});
