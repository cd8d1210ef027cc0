import fc from 'fast-check';
import { storedTurn } from '../../../src/appServer/threads/storedTurn';
import type { JsonObject } from '../../../src/protocol/jsonrpc';

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
