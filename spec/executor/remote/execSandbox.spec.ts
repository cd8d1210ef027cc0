import { READ_ONLY, toExecSandbox } from '../../../src/executor/remote/execSandbox';
import { toPermissions } from '../../../src/executor/server/toPermissions';
import { checkExecParams } from '../../../src/protocol/exec/checkExecParams';
import { type ExecSandbox, SandboxParams } from '../../../src/protocol/exec/sandboxParams';

/** What our own server makes of it. */
const read = (sandbox: ExecSandbox) =>
  toPermissions({ tmpdir: '/t' }, { sandbox: checkExecParams(SandboxParams(), JSON.parse(JSON.stringify(sandbox))) });
const settings = {
  mode: 'workspace-write' as const,
  cwd: '/w a',
  writableRoots: ['/x', '/'],
  networkAccess: false,
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
};
const nothing = { readOnly: [], ifThere: [], denied: [], network: 'closed' };

describe('toExecSandbox', () => {
  it('lets nothing be written in the mode read-only, and opens no network', () => {
    const readOnly = { ...nothing, roots: { workspace: [], temporary: [] } };
    expect(read(toExecSandbox({ ...settings, mode: 'read-only', networkAccess: true }))).toEqual(readOnly);
    expect(read(READ_ONLY)).toEqual(readOnly);
  });

  it('opens the folder of the thread, its roots and temporary folders, and keeps what git and Codex obey', () => {
    expect(read(toExecSandbox(settings))).toEqual({
      ...nothing,
      roots: { workspace: ['/w a', '/x'], temporary: ['/tmp', '/t'] },
      ifThere: ['/w a/.git', '/x/.git', '/w a/.codex', '/x/.codex'],
    });
  });

  it.each(['/', '/w/.git/hooks', '/w/.CODEX'])('opens no project for a thread in %s', (cwd) => {
    expect(read(toExecSandbox({ ...settings, cwd, writableRoots: [] }))).toEqual({
      ...nothing,
      roots: { workspace: [], temporary: ['/tmp', '/t'] },
    });
  });

  it('leaves out temporary folders, and opens the network, if the settings are so', () => {
    const own = { networkAccess: true, excludeSlashTmp: true, excludeTmpdirEnvVar: true };
    expect(read(toExecSandbox({ ...settings, ...own }))).toMatchObject({
      roots: { workspace: ['/w a', '/x'], temporary: [] },
      network: 'open',
    });
  });
});
