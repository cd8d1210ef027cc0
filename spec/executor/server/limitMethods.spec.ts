import { of } from 'rxjs';
import { execMethods } from '../../../src/executor/server/execMethods';
import { limitMethods, type MethodLimits, unknownMethods } from '../../../src/executor/server/limitMethods';
import { EXEC_METHODS } from '../../../src/protocol/exec/checkExecParams';
import { toResult } from '../../../src/protocol/rpc/answerOnce';
import { marbles } from '../../support/marbles';

const limits = (own: Partial<MethodLimits>): MethodLimits => ({ allow: [], deny: [], network: 'open', ...own });

/** What a method answers. */
const answerOf = (own: Partial<MethodLimits>, name: string): string => {
  const table = limitMethods(limits(own))({ [name]: () => of(toResult('done')) });
  const answers: string[] = [];
  table[name]?.({}).subscribe({
    next: (answer) => answers.push(String('result' in answer && answer.result)),
    error: ({ code, message }) => answers.push(`${code} ${message}`),
  });
  return answers.join();
};

describe('limitMethods', () => {
  it.each<[Partial<MethodLimits>, string, string]>([
    [{}, 'http/request', 'done'],
    [{ allow: ['fs/*'] }, 'fs/remove', 'done'],
    [{ allow: ['fs/readFile'] }, 'fs/readFile', 'done'],
    [{ allow: ['fs/*'] }, 'environment/info', 'done'],
    [{ deny: ['fs/remove'] }, 'fs/copy', 'done'],
    [
      { allow: ['fs/readFile', 'process/*'] },
      'fs/remove',
      '-32600 fs/remove is not allowed by this exec-server: it was started with --allow-method fs/readFile --allow-method process/*',
    ],
    [
      { allow: ['fs/*'], deny: ['fs/re*'] },
      'fs/remove',
      '-32600 fs/remove is not allowed by this exec-server: it was started with --deny-method fs/re*',
    ],
    [
      { deny: ['environment/info'] },
      'environment/info',
      '-32600 environment/info is not allowed by this exec-server: it was started with --deny-method environment/info',
    ],
    [
      { deny: ['fs/applyChanges'] },
      'fs/settleChanges',
      '-32600 fs/settleChanges is not allowed by this exec-server: it was started with --deny-method fs/applyChanges',
    ],
    [{ deny: ['fs/settleChanges'] }, 'fs/applyChanges', 'done'],
    [
      { network: 'closed' },
      'http/request',
      '-32600 http/request is not allowed by this exec-server: its sandbox has no network; --allow-network opens it',
    ],
    [{ network: 'closed' }, 'fs/copy', 'done'],
  ])('with %j answers %s', (own, name, answer) => {
    expect(answerOf(own, name)).toBe(answer);
  });

  it(
    'passes what an allowed method sends',
    marbles(({ cold, expectObservable }) => {
      const method = () => cold('-a-|', { a: toResult(1) });
      const table = limitMethods(limits({ deny: ['b'] }))({ a: method });
      expectObservable(table.a?.({}) ?? of()).toBe('-a-|', { a: toResult(1) });
    }),
  );
});

describe('unknownMethods', () => {
  it('finds patterns that fit no method', () => {
    expect(unknownMethods(['fs/*', 'fs/readFile', '*', 'fs/read', 'ftp/*'])).toEqual(['fs/read', 'ftp/*']);
  });

  it('knows every method of the table', () => {
    const deps = {
      limits: {},
      environment: {},
      serverEnvironment: { cwd: '/', home: '/', tempDir: '/' },
      methodLimits: limits({}),
    };
    expect(Object.keys(execMethods(deps as never)).sort()).toEqual([...EXEC_METHODS].sort());
  });
});
