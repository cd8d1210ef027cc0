import { profileOfCall, threadParams } from '../../../../src/agent/appServer/threads/threadParams';
import type { ThreadSettings } from '../../../../src/protocol/codex/settings';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

const PROFILES: Record<string, JsonObject> = {
  fast: { model: 'mini', approval_policy: 'never', sandbox_mode: 'read-only', model_reasoning_effort: 'low' },
  plain: { model_reasoning_effort: 'high' },
};
type Flags = Partial<Omit<Parameters<typeof threadParams>[0], 'resolveCwd' | 'readProfile'>>;
const params = (settings: ThreadSettings, flags: Flags = {}) =>
  threadParams(
    { ...flags, resolveCwd: (cwd) => `/root/${cwd ?? ''}`, readProfile: (name) => PROFILES[name] as JsonObject },
    settings,
  );

describe('threadParams', () => {
  it.each<[string, ThreadSettings, Flags, JsonObject]>([
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
      'arguments over the profile over keys of the call',
      { profile: 'fast', sandbox: 'danger-full-access', config: { approval_policy: 'untrusted', model: 'own' } },
      {},
      {
        cwd: '/root/',
        model: 'mini',
        approvalPolicy: 'never',
        sandbox: 'danger-full-access',
        config: { model_reasoning_effort: 'low' },
      },
    ],
    [
      'a profile in the config of the call, over the flags',
      { config: { profile: 'plain', model: 'own', x: 1 } },
      { model: 'big', profile: 'fast' },
      { cwd: '/root/', model: 'own', config: { x: 1, model_reasoning_effort: 'high' } },
    ],
    [
      'a profile without a model',
      { profile: 'plain' },
      { model: 'big' },
      { cwd: '/root/', model: 'big', config: { model_reasoning_effort: 'high' } },
    ],
    [
      'keys of the operator for each thread, below those of the call',
      { config: { x: 2 } },
      { config: { approval_policy: 'untrusted', x: 1, y: 1 } },
      { cwd: '/root/', approvalPolicy: 'untrusted', config: { x: 2, y: 1 } },
    ],
    [
      'a profile that is looser than the ceiling',
      {},
      { profile: 'fast', policy: 'untrusted', mode: 'read-only' },
      {
        cwd: '/root/',
        model: 'mini',
        approvalPolicy: 'untrusted',
        sandbox: 'read-only',
        config: { model_reasoning_effort: 'low' },
      },
    ],
    [
      'a form that only Codex knows, under a ceiling',
      { config: { approval_policy: { granular: {} }, sandbox_mode: 'new' } },
      { policy: 'on-failure', mode: 'workspace-write' },
      { cwd: '/root/', approvalPolicy: 'on-request', sandbox: 'workspace-write' },
    ],
  ])('makes params of %s', (_, settings, flags, expected) => {
    expect(params(settings, flags)).toEqual(expected);
  });
});

describe('bounds of turns', () => {
  it('are not sent to an installed Codex, which does not know them', () => {
    const deps = { resolveCwd: () => undefined, readProfile: () => ({ max_rounds_per_turn: 2 }) };
    expect(threadParams(deps, { profile: 'p', maxTokensPerTurn: 3, config: { max_tokens_per_turn: 3 } })).toEqual({});
  });
});

describe('profileOfCall', () => {
  it('is the profile of the argument, else that of config, whose keys the operator limits too', () => {
    expect([
      profileOfCall({ profile: 'a', config: { profile: 'b' } }),
      profileOfCall({ config: { profile: 'b' } }),
      profileOfCall({ config: { profile: 1 } }),
    ]).toEqual(['a', 'b', undefined]);
  });
});
