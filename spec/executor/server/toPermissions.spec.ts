import type { Permissions } from '../../../src/executor/sandbox/permissions';
import { toPermissions } from '../../../src/executor/server/toPermissions';
import { checkExecParams } from '../../../src/protocol/exec/checkExecParams';
import { SandboxParams } from '../../../src/protocol/exec/sandboxParams';

const special = (kind: string, access: string, subpath?: string) => ({
  path: { type: 'special', value: { kind, subpath } },
  access,
});
const path = (name: string, access: string) => ({ path: { type: 'path', path: name }, access });
const READ = special('root', 'read');

const permissionsOf = (sandbox: unknown, enforceManagedNetwork?: boolean) =>
  toPermissions(
    { tmpdir: '/t/' },
    { sandbox: sandbox == null ? null : checkExecParams(SandboxParams(), sandbox), enforceManagedNetwork },
  );

/** With these entries, in project /w. */
const withEntries = (entries: unknown[], own: object = { cwd: 'file:///w/' }) =>
  permissionsOf({
    permissions: { type: 'managed', network: 'restricted', file_system: { type: 'restricted', entries } },
    ...own,
  });

const allowed = (own: Partial<Permissions> = {}): Permissions => ({
  roots: { workspace: [], temporary: [] },
  readOnly: [],
  ifThere: [],
  denied: [],
  network: 'closed',
  ...own,
});

describe('toPermissions', () => {
  it.each([
    undefined,
    { permissions: { type: 'disabled' } },
    { permissions: { type: 'external', network: 'restricted' } },
    { permissions: { type: 'managed', network: 'enabled', file_system: { type: 'unrestricted' } } },
  ])('restricts nothing for %j', (sandbox) => {
    expect(permissionsOf(sandbox)).toBeUndefined();
  });

  it.each<[string, unknown[], Partial<Permissions>]>([
    ['reading alone', [READ], {}],
    ['the project', [READ, special('project_roots', 'write')], { roots: { workspace: ['/w'], temporary: [] } }],
    [
      'temporary folders',
      [READ, special('tmpdir', 'write'), special('slash_tmp', 'write')],
      { roots: { workspace: [], temporary: ['/t', '/tmp'] } },
    ],
    [
      'what is kept inside the project',
      [READ, special('current_working_directory', 'write'), special('project_roots', 'read', '.git')],
      { roots: { workspace: ['/w'], temporary: [] }, readOnly: ['/w/.git'] },
    ],
    [
      'paths and URIs',
      [READ, path('/a/b/', 'write'), path('file:///c%20d', 'none'), path('/e', 'deny'), path('/f', 'read')],
      { roots: { workspace: ['/a/b'], temporary: [] }, readOnly: ['/f'], denied: ['/c d', '/e'] },
    ],
    [
      'what is kept where it is there',
      [READ, { ...special('project_roots', 'read', '.aws'), missing_path_behavior: 'skip' }],
      { ifThere: ['/w/.aws'] },
    ],
    ['writing everywhere', [special('root', 'write')], { roots: { workspace: [], temporary: ['/'] } }],
    [
      'what it does not know, where that gives more',
      [READ, special('unknown', 'write'), special('minimal', 'read')],
      {},
    ],
  ])('reads %s', (_, entries, expected) => {
    expect(withEntries(entries)).toEqual(allowed(expected));
  });

  it('takes the roots of the workspace before its folder, and opens the network', () => {
    const entries = [READ, special('project_roots', 'write', 'a/b')];
    const permissions = { type: 'managed', network: 'enabled', file_system: { type: 'restricted', entries } };
    expect(permissionsOf({ permissions, cwd: '/w', workspaceRoots: ['/one', '/'] })).toEqual(
      allowed({ roots: { workspace: ['/one/a/b', '/a/b'], temporary: [] }, network: 'open' }),
    );
  });

  it('closes the network alone', () => {
    const permissions = { type: 'managed', network: 'restricted', file_system: { type: 'unrestricted' } };
    expect(permissionsOf({ permissions })).toEqual(allowed({ roots: { workspace: [], temporary: ['/'] } }));
  });

  it.each<[string, () => unknown, string]>([
    [
      'reading that is limited',
      () => withEntries([special('project_roots', 'read'), special('minimal', 'read')]),
      'this exec-server does not support a sandbox that may not read the whole file system; give it the entry root with access read',
    ],
    [
      'a root that is denied',
      () => withEntries([READ, special('root', 'none')]),
      'this exec-server does not support a sandbox that may not read the whole file system; give it the entry root with access read',
    ],
    [
      'a glob',
      () => withEntries([READ, { path: { type: 'glob_pattern', pattern: '**/.env' }, access: 'none' }]),
      'this exec-server does not support a glob in a sandbox: **/.env; name the paths',
    ],
    [
      'something unknown that is denied',
      () => withEntries([READ, special('unknown', 'deny')]),
      'this exec-server does not support an unknown special path with access none',
    ],
    [
      'a managed network',
      () => permissionsOf(undefined, true),
      'this exec-server does not support enforceManagedNetwork: it has no proxy for a managed network',
    ],
    [
      'a project that is not named',
      () => withEntries([READ, special('project_roots', 'write')], {}),
      'sandbox needs cwd or workspaceRoots, because an entry refers to the project',
    ],
    [
      'a way out of the project',
      () => withEntries([READ, special('project_roots', 'write', '../x')]),
      'sandbox subpath leads out of its root: ../x',
    ],
    ['a relative path', () => withEntries([READ, path('a', 'write')]), 'path is not absolute: a'],
    [
      'an unknown access',
      () => withEntries([special('root', 'look')]),
      'unknown variant `look`, expected one of `read`, `write`, `deny`, `none`',
    ],
  ])('refuses %s', (_, read, message) => {
    expect(read).toThrow(message);
  });
});
