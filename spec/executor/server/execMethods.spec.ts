import { EMPTY, NEVER, of, toArray } from 'rxjs';
import {
  confineFiles,
  environmentMethods,
  execMethods,
  type ServerEnvironment,
} from '../../../src/executor/server/execMethods';
import { toResult } from '../../../src/protocol/rpc/answerOnce';
import { marbles } from '../../support/marbles';
import { filesOf } from './files';
import { LIMITS, SURROUNDINGS } from './support';

const methodsWith = (own: Partial<Parameters<typeof execMethods>[0]> = {}) =>
  execMethods({
    backendFor: () => ({ start: () => EMPTY }),
    isLikelyDenied: () => false,
    limits: LIMITS,
    environment: {},
    files: filesOf().files,
    fetch: () => EMPTY,
    serverEnvironment: SURROUNDINGS,
    insideOf: () => ({ request: () => NEVER, alive$: NEVER, hint: '' }),
    methodLimits: { allow: [], deny: [], network: 'open' },
    ...own,
  });

describe('execMethods', () => {
  it('has the methods of all families', () => {
    expect(Object.keys(methodsWith()).sort()).toEqual([
      'environment/info',
      'environment/status',
      'fs/applyChanges',
      'fs/canonicalize',
      'fs/close',
      'fs/copy',
      'fs/createDirectory',
      'fs/getMetadata',
      'fs/open',
      'fs/readBlock',
      'fs/readDirectory',
      'fs/readFile',
      'fs/remove',
      'fs/settleChanges',
      'fs/writeBlock',
      'fs/writeFile',
      'http/request',
      'process/acknowledge',
      'process/closeStdin',
      'process/read',
      'process/signal',
      'process/start',
      'process/terminate',
      'process/write',
    ]);
  });

  it('lets another process carry out the methods of files if there is one', () => {
    const { files, calls } = filesOf();
    const sent: unknown[] = [];
    const request = (method: string) => {
      sent.push(method);
      return of({});
    };
    const inside = { request, alive$: NEVER, hint: '' };
    methodsWith({ files, inside })['fs/readFile']?.({ path: '/a' }).subscribe().unsubscribe();
    expect([sent, calls]).toEqual([['fs/readFile'], []]);
  });
});

const answerTo = (name: string, serverEnvironment: ServerEnvironment = SURROUNDINGS) => {
  const outputs: unknown[][] = [];
  environmentMethods(serverEnvironment)
    [name]?.({})
    .pipe(toArray())
    .subscribe((all) => outputs.push(all));
  return outputs[0];
};

describe('environmentMethods', () => {
  it('has the serverEnvironment, folders as URIs', () => {
    expect(answerTo('environment/info')).toEqual([
      {
        kind: 'result',
        result: {
          shell: { name: 'sh', path: '/bin/sh' },
          executorVersion: '1.2.3',
          cwd: 'file:///w%20o',
          userHomeDir: 'file:///h',
          platformOs: 'linux',
          prependPathDirs: [],
          temporaryDirectories: [],
          tempDir: 'file:///t',
          capabilities: { fileWriteStreaming: true },
        },
      },
    ]);
  });

  it('leaves out the home of a user who has none', () => {
    const [answer] = answerTo('environment/info', { ...SURROUNDINGS, home: undefined }) ?? [];
    expect(answer).toMatchObject({ result: { cwd: 'file:///w%20o' } });
    expect(answer).not.toMatchObject({ result: { userHomeDir: expect.anything() } });
  });

  it('is ready', () => {
    expect(answerTo('environment/status')).toEqual([{ kind: 'result', result: { status: 'ready' } }]);
  });
});

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
