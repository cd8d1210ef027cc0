import { EMPTY, NEVER, type Observable, of } from 'rxjs';
import { forwardFiles } from '../../../src/executor/server/forwardFiles';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { toResult } from '../../../src/protocol/rpc/answerOnce';
import { marbles } from '../../support/marbles';

const NAMES = ['fs/applyChanges', 'fs/readFile', 'fs/open', 'fs/close'];
const done = { r: toResult('done') };

const methodsOver = (request: () => Observable<unknown>, alive$: Observable<never> = NEVER) =>
  forwardFiles({ request, alive$, hint: 'write in /w only (--root)' }, NAMES);

const call = (table: ReturnType<typeof forwardFiles>, name: string, params: unknown = {}) =>
  table[name]?.(params) ?? EMPTY;

describe('forwardFiles', () => {
  it(
    'passes the result of the server in the sandbox',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const response$ = cold('--r|', { r: 'done' });
      expectObservable(
        call(
          methodsOver(() => response$),
          'fs/readFile',
        ),
      ).toBe('--r|', done);
      expectSubscriptions(response$.subscriptions).toBe('^--!');
    }),
  );

  it('sends the params as they are', () => {
    const request = jest.fn(() => of('done'));
    const table = methodsOver(request);
    call(table, 'fs/readFile', { path: '/a' }).subscribe();
    call(table, 'fs/readFile', undefined).subscribe();
    expect(request.mock.calls).toEqual([
      ['fs/readFile', { path: '/a' }],
      ['fs/readFile', {}],
    ]);
  });

  it.each([
    [
      'Failed to write file /o: Read-only file system (os error 30). No file was changed',
      '; write in /w only (--root)',
    ],
    ['Failed to write file /o: No space left on device (os error 28). No file was changed', ''],
  ])('adds what clients may write to a patch that failed with %j, if that is why', (message, hint) => {
    marbles(({ cold, expectObservable }) => {
      const table = methodsOver(() => cold('-(r|)', { r: { kind: 'failed', message } }));
      const expected = toResult({ kind: 'failed', message: `${message}${hint}` });
      expectObservable(call(table, 'fs/applyChanges')).toBe('-(r|)', { r: expected });
    })();
  });

  it.each<[unknown, unknown]>([
    [
      new RpcError(-32603, 'Read-only file system (os error 30)'),
      new RpcError(-32603, 'Read-only file system (os error 30); write in /w only (--root)'),
    ],
    [new RpcError(-32004, 'No such file'), new RpcError(-32004, 'No such file')],
    [new Error('lost'), new RpcError(-32603, 'lost')],
  ])('passes the error %s', (error, expected) => {
    marbles(({ cold, expectObservable }) => {
      const table = methodsOver(() => cold('-#', {}, error));
      expectObservable(call(table, 'fs/readFile')).toBe('-#', {}, expected);
    })();
  });

  it(
    'keeps the server while a file is open, and no longer',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const alive$ = cold<never>('---------');
      const table = methodsOver(() => of('done'), alive$);
      expectObservable(call(table, 'fs/open', { handleId: 'a' })).toBe('r----|', done);
      const closes = hot('---b-a', { a: { handleId: 'a' }, b: { handleId: 'b' } });
      closes.subscribe((params) => call(table, 'fs/close', params).subscribe());
      expectSubscriptions(alive$.subscriptions).toBe('^----!');
    }),
  );

  it(
    'ends with the server',
    marbles(({ cold, expectObservable }) => {
      const table = methodsOver(() => of('done'), cold<never>('--|'));
      expectObservable(call(table, 'fs/open', { handleId: 'a' })).toBe('r-|', done);
    }),
  );
});
