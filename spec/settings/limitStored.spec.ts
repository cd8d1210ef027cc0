/** What of a stored thread's settings holds under the flags of the server. */

import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { limitStored } from '../../src/settings/limitStored';
import { depsOf, type World } from './deps';

const limited = (world: World, settings: ThreadSettings) => limitStored(depsOf(world))(settings);
const settings: ThreadSettings = {
  model: 'm',
  cwd: '/work',
  approvalPolicy: 'never',
  sandbox: 'danger-full-access',
  config: {
    model_reasoning_effort: 'high',
    model_provider: 'own',
    sandbox_workspace_write: { network_access: true },
  },
};

describe('limitStored', () => {
  it('keeps all if the operator set no ceiling', () => {
    expect(limited({}, settings)).toEqual(settings);
  });

  it('leaves out what is looser than the flags', () => {
    const overrides = ['approval_policy=untrusted', 'sandbox_mode="workspace-write"', 'model_provider=oss'];
    expect(limited({ overrides }, settings)).toEqual({
      model: 'm',
      cwd: '/work',
      config: { model_reasoning_effort: 'high' },
    });
  });

  it('keeps what is stricter', () => {
    const strict = { approvalPolicy: 'untrusted', sandbox: 'read-only', config: {} } as const;
    expect(limited({ overrides: ['approval_policy=never', 'sandbox_mode="workspace-write"'] }, strict)).toEqual(strict);
  });

  it('leaves out keys that could run programs', () => {
    expect(limited({}, { config: { mcp_servers: { a: { command: 'rm' } } } })).toEqual({ config: {} });
  });
});
