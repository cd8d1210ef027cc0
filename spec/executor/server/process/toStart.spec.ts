import { toStart } from '../../../../src/executor/server/process/startProcess';
import { checkExecParams } from '../../../../src/protocol/exec/checkExecParams';
import { StartParams } from '../../../../src/protocol/exec/params';
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { startOf } from '../support';

const environment = { HOME: '/h', PATH: '/p', A: '1', TMPDIR: '/t' };
const start = (own: Record<string, unknown> = {}) =>
  toStart({ environment }, checkExecParams(StartParams(), startOf('p', { cwd: 'file:///w%20o', ...own })));
const policy = (own: object) => ({
  inherit: 'core',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
  ...own,
});
const spec = { argv: ['prog'], cwd: '/w o', env: {} };

describe('toStart', () => {
  it('is a program to start in an exact environment', () => {
    expect(start({ env: { B: '2' } })).toEqual({
      processId: 'p',
      permissions: undefined,
      needsWriteId: true,
      spec: { ...spec, env: { B: '2' } },
    });
  });

  it.each<[object, object]>([
    [{ arg0: 'name' }, { ...spec, arg0: 'name' }],
    [{ tty: true }, { ...spec, tty: true }],
    [{ pipeStdin: true }, { ...spec, stdin: 'pipe' }],
    [{ grace: { inputMs: 5, termMs: 1e12 } }, { ...spec, grace: { inputMs: 5, termMs: 1_073_741_823 } }],
    [
      { env: { HOME: '/own' }, envPolicy: policy({}) },
      { argv: ['prog'], cwd: '/w o', env: { HOME: '/own', PATH: '/p', TMPDIR: '/t' } },
    ],
    [{ envPolicy: policy({ inherit: 'none' }) }, spec],
    [{ envPolicy: policy({ inherit: 'all', includeOnly: ['A'] }) }, { ...spec, env: { A: '1' } }],
  ])('takes %j', (own, expected) => {
    expect(start(own as Record<string, unknown>).spec).toEqual(expected);
  });

  it('takes a plain path for that of a client whose writes have no ids', () => {
    expect(start({ cwd: '/w' })).toMatchObject({ needsWriteId: false, spec: { cwd: '/w' } });
  });

  it('has the permissions of a sandbox', () => {
    const root = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
    const file_system = { type: 'restricted', entries: [root] };
    const sandbox = { permissions: { type: 'managed', file_system, network: 'restricted' }, cwd: 'file:///w' };
    expect(start({ sandbox }).permissions).toMatchObject({ network: 'closed' });
  });

  it.each([
    [{ argv: [] }, new RpcError(INVALID_PARAMS, 'argv must not be empty')],
    [{ argv: [''] }, new RpcError(INTERNAL_ERROR, 'missing program for pipe spawn')],
    [{ cwd: 'w' }, new RpcError(INVALID_PARAMS, 'path is not absolute: w')],
  ])('refuses %j', (own, error) => {
    expect(() => start(own)).toThrow(error);
  });
});
