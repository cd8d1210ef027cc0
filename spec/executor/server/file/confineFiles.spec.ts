import { EMPTY, NEVER } from 'rxjs';
import { confineFiles } from '../../../../src/executor/server/execMethods';
import { toResult } from '../../../../src/protocol/rpc/answerOnce';
import { marbles } from '../../../support/marbles';

const entries = [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }];
const sandbox = {
  permissions: { type: 'managed', network: 'restricted', file_system: { type: 'restricted', entries } },
};
const READ_ONLY = {
  roots: { workspace: [], temporary: [] },
  readOnly: [],
  ifThere: [],
  denied: [],
  network: 'closed',
};

describe('confineFiles', () => {
  it.each<[string, unknown, string, unknown]>([
    ['here', { path: '/a' }, 'here', { path: '/a' }],
    ['here', { path: '/a', sandbox: null }, 'here', { path: '/a' }],
    ['here', { path: '/a', sandbox: { permissions: { type: 'disabled' } } }, 'here', { path: '/a' }],
    ['here', 7, 'here', 7],
    ['inside', { path: '/a', sandbox }, 'inside', { path: '/a' }],
  ])('runs a method %s for %j', (_, params, where, passed) => {
    const calls: unknown[] = [];
    const insideOf = jest.fn(() => ({
      request: (method: string, given: unknown) => {
        calls.push(['inside', method, given]);
        return NEVER;
      },
      alive$: NEVER,
      hint: '',
    }));
    const here = (given: unknown) => {
      calls.push(['here', 'fs/readFile', given]);
      return EMPTY;
    };
    confineFiles({ insideOf, tmpdir: undefined }, { 'fs/readFile': here })['fs/readFile']?.(params);
    expect(calls).toEqual([[where, 'fs/readFile', passed]]);
    if (where === 'inside') expect(insideOf).toHaveBeenCalledWith(READ_ONLY);
  });

  it(
    'passes what the server in the sandbox answers',
    marbles(({ cold, expectObservable }) => {
      const inside = { request: () => cold('-r|', { r: 1 }), alive$: NEVER, hint: '' };
      const table = confineFiles({ insideOf: () => inside, tmpdir: undefined }, { 'fs/copy': () => EMPTY });
      expectObservable(table['fs/copy']?.({ sandbox }) ?? EMPTY).toBe('-r|', { r: toResult(1) });
    }),
  );

  it.each(['fs/open', 'fs/readBlock', 'fs/writeBlock', 'fs/close'])('refuses %s in a sandbox', (name) => {
    const inside = { request: () => NEVER, alive$: NEVER, hint: '' };
    const table = confineFiles({ insideOf: () => inside, tmpdir: undefined }, { [name]: () => EMPTY });
    expect(() => table[name]?.({ handleId: 'h', sandbox })).toThrow(
      `this exec-server does not support ${name} in a sandbox; read whole files`,
    );
  });
});
