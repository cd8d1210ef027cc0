import fc from 'fast-check';
import { limitTurn, type StoredLimits, storedTurn } from '../../../../src/agent/appServer/threads/openThread';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

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

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, payload) => {
        for (const rollout of [text, `"turn_context"${text}`, context(payload)]) {
          expect(storedTurn(rollout)).toBeInstanceOf(Object);
        }
      }),
    );
  });
});

describe('limitTurn', () => {
  const danger = { sandboxPolicy: { type: 'dangerFullAccess' } };
  const writes = { sandboxPolicy: { type: 'workspaceWrite', networkAccess: true } };
  const untrusted = { approval_policy: 'untrusted' };

  it.each<[string, StoredLimits, JsonObject, JsonObject]>([
    [
      'keeps what is stored',
      { config: {} },
      { approvalPolicy: 'never', ...danger },
      { approvalPolicy: 'never', ...danger },
    ],
    ['has nothing where nothing is stored or set', { config: {} }, {}, {}],
    ['has the policy of the operator, if none is stored', { config: untrusted }, {}, { approvalPolicy: 'untrusted' }],
    [
      'keeps the stored policy before that',
      { config: untrusted },
      { approvalPolicy: 'never' },
      { approvalPolicy: 'never' },
    ],
    [
      'does not ask less often than the ceiling',
      { config: untrusted, policy: 'untrusted' },
      { approvalPolicy: 'never' },
      { approvalPolicy: 'untrusted' },
    ],
    [
      'may be stricter',
      { config: {}, policy: 'never' },
      { approvalPolicy: 'untrusted' },
      { approvalPolicy: 'untrusted' },
    ],
    [
      'has the newer name of a retired policy',
      { config: {} },
      { approvalPolicy: 'on-failure' },
      { approvalPolicy: 'on-request' },
    ],
    ['keeps a sandbox below the ceiling', { config: {}, mode: 'workspace-write' }, writes, writes],
    [
      'does not leave the sandbox of the ceiling',
      { config: {}, mode: 'read-only' },
      writes,
      { sandboxPolicy: { type: 'readOnly' } },
    ],
  ])('%s', (_, limits, turn, expected) => {
    expect(limitTurn(limits, turn)).toEqual(expected);
  });
});
