import { threadParams } from '../../src/appServer';
import { storedTurn } from '../../src/appServer/storedTurn';
import type { JsonObject, ThreadSettings } from '../../src/protocol';

const PROFILES: Record<string, JsonObject> = {
  fast: { model: 'mini', approval_policy: 'never', sandbox_mode: 'read-only', model_reasoning_effort: 'low' },
  plain: { model_reasoning_effort: 'high' },
};
const params = (settings: ThreadSettings, flags: { model?: string; profile?: string } = {}) =>
  threadParams(
    { ...flags, resolveCwd: (cwd) => `/root/${cwd ?? ''}`, readProfile: (name) => PROFILES[name] as JsonObject },
    settings,
  );

describe('threadParams', () => {
  it.each<[string, ThreadSettings, { model?: string; profile?: string }, JsonObject]>([
    ['nothing', {}, {}, { cwd: '/root/' }],
    [
      'all arguments',
      {
        cwd: 'w',
        model: 'm',
        approvalPolicy: 'untrusted',
        sandbox: 'workspace-write',
        baseInstructions: 'b',
        developerInstructions: 'd',
        compactPrompt: 'c',
        config: { x: 1 },
      },
      {},
      {
        cwd: '/root/w',
        model: 'm',
        approvalPolicy: 'untrusted',
        sandbox: 'workspace-write',
        baseInstructions: 'b',
        developerInstructions: 'd',
        config: { x: 1, compact_prompt: 'c' },
      },
    ],
    ['a retired policy', { approvalPolicy: 'on-failure' }, {}, { cwd: '/root/', approvalPolicy: 'on-request' }],
    [
      'a profile of the call, over the flag -m',
      { profile: 'fast' },
      { model: 'big' },
      {
        cwd: '/root/',
        model: 'mini',
        approvalPolicy: 'never',
        sandbox: 'read-only',
        config: { model_reasoning_effort: 'low' },
      },
    ],
    [
      'a profile of the flag -p, under the flag -m',
      {},
      { model: 'big', profile: 'fast' },
      {
        cwd: '/root/',
        model: 'big',
        approvalPolicy: 'never',
        sandbox: 'read-only',
        config: { model_reasoning_effort: 'low' },
      },
    ],
    [
      'arguments over keys of the call over the profile',
      { profile: 'fast', sandbox: 'danger-full-access', config: { approval_policy: 'untrusted', model: 'own' } },
      {},
      {
        cwd: '/root/',
        model: 'own',
        approvalPolicy: 'untrusted',
        sandbox: 'danger-full-access',
        config: { model: 'own', model_reasoning_effort: 'low' },
      },
    ],
    [
      'a profile without a model',
      { profile: 'plain' },
      { model: 'big' },
      { cwd: '/root/', model: 'big', config: { model_reasoning_effort: 'high' } },
    ],
  ])('makes params of %s', (_, settings, flags, expected) => {
    expect(params(settings, flags)).toEqual(expected);
  });
});

describe('storedTurn', () => {
  const context = (payload: unknown) => JSON.stringify({ type: 'turn_context', payload });

  it.each<[string, string | undefined, JsonObject]>([
    ['no rollout', undefined, {}],
    ['a rollout without a turn', '{"type":"session_meta"}', {}],
    ['a line that was cut off', '{"type":"turn_context","payl', {}],
    [
      'the last turn',
      [context({ approval_policy: 'never' }), context({ approval_policy: 'untrusted' })].join('\n'),
      { approvalPolicy: 'untrusted' },
    ],
    [
      'a sandbox with its members',
      context({ sandbox_policy: { type: 'workspace-write', network_access: true, writable_roots: ['/x'] } }),
      { sandboxPolicy: { type: 'workspaceWrite', networkAccess: true, writableRoots: ['/x'] } },
    ],
    [
      'a sandbox as 0.28.0 wrote it',
      context({ sandbox_policy: { mode: 'read-only' } }),
      {
        sandboxPolicy: { type: 'readOnly' },
      },
    ],
    ['a sandbox that is not known', context({ sandbox_policy: { type: 'moon' } }), {}],
  ])('takes from %s', (_, rollout, expected) => {
    expect(storedTurn(rollout)).toEqual(expected);
  });
});
