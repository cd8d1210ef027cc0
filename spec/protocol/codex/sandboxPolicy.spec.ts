import * as z from 'zod/mini';
import { toSandboxPolicy, WireSandboxPolicy } from '../../../src/protocol/codex/sandboxPolicy';

const read = (value: object) => {
  const parsed = z.safeParse(WireSandboxPolicy(), value);
  return parsed.success ? toSandboxPolicy(parsed.data) : undefined;
};
const wire = { writable_roots: ['/r'], network_access: true, exclude_tmpdir_env_var: true, exclude_slash_tmp: false };
const details = { writableRoots: ['/r'], networkAccess: true, excludeTmpdirEnvVar: true, excludeSlashTmp: false };

describe('toSandboxPolicy', () => {
  it.each([
    [
      'reads the details of workspace-write',
      { mode: 'workspace-write', ...wire },
      { mode: 'workspace-write', ...details },
    ],
    ['reads workspace-write without them  ', { mode: 'workspace-write' }, { mode: 'workspace-write' }],
    ['passes over those of another mode   ', { mode: 'read-only', ...wire }, { mode: 'read-only' }],
    ['reads full access                   ', { mode: 'danger-full-access' }, { mode: 'danger-full-access' }],
    ['reads no other mode                 ', { mode: 'none' }, undefined],
    ['reads no wrong details              ', { mode: 'read-only', writable_roots: 1 }, undefined],
  ])('%s', (_, value, policy) => {
    expect(read(value)).toEqual(policy);
  });
});
