import { withTurnSettings } from '../../../src/protocol/codex/turnSettings';

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
    const own = { config: { environment_id: 'box' } };
    expect(withTurnSettings(thread, own)).toEqual({ config });
    expect(withTurnSettings(thread, { ...own, cwd: '/there' })).toEqual({ cwd: '/there', config });
  });

  it('overrides a setting of the thread by the key that means the same', () => {
    const thread = { model: 'a', compactPrompt: 'old', profile: 'p', config: { model: 'b', hide: true } };
    const config = { hide: true, model: 'c', compact_prompt: 'new', profile: 'q' };
    expect(withTurnSettings(thread, { config: { model: 'c', compact_prompt: 'new', profile: 'q' } })).toEqual({
      config,
    });
  });

  it.each([{ profile: 'q' }, { config: { profile: 'q' } }])(
    'lets a profile that is named now override what it sets of the thread, and nothing else: %j',
    (own) => {
      const thread = {
        model: 'a',
        effort: 'low',
        cwd: '/w',
        baseInstructions: 'b',
        profile: 'p',
        config: { model: 'b' },
      };
      expect(withTurnSettings(thread, { ...own, approvalPolicy: 'never' })).toEqual({
        ...own,
        cwd: '/w',
        baseInstructions: 'b',
        approvalPolicy: 'never',
        config: { ...own.config, model: 'a', model_reasoning_effort: 'low' },
      });
    },
  );
});
