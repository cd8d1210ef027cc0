import { map, type Observable, of, throwError } from 'rxjs';
import { type FindDeps, findThread } from '../../src/agent/findThread';
import type { Thread } from '../../src/agent/thread/steps';
import { CannotBegin } from '../../src/agent/turns/rejection';
import { FileError } from '../../src/io/files/fileError';
import { ConfigError } from '../../src/settings/faults/configError';
import { toStream } from '../../src/streams/awaitable';
import { ThreadError } from '../../src/threads/threadError';
import type { ResumedThread, ThreadStart, ThreadStore } from '../../src/threads/threadStore';
import { marbles } from '../support/marbles';
import { messageOf } from '../support/models';
import { type Recorded, recordOf, storeOf } from '../support/threadStore';
import { around, config, turnOf } from './support';

const opened = turnOf(() => of()).thread;
const items = [messageOf('user', 'hi')];
const stored = (own: Partial<ResumedThread> = {}): ResumedThread => ({
  id: 'n9',
  settings: { model: 'a', cwd: '/b' },
  items,
  record: recordOf(),
  folders: {},
  ...own,
});

const finding =
  (own: Partial<ThreadStore> = {}, deps: Partial<FindDeps> = {}) =>
  (...args: Parameters<ReturnType<typeof findThread>>) =>
    toStream(findThread({ ...around({}).native, ...deps }, storeOf(own).store)(...args));

const facts = (thread$: Observable<Thread>) =>
  thread$.pipe(map(({ id, history, config: { model } }) => ({ id, past: history.past, model })));

describe('findThread', () => {
  it(
    'emits a thread that is open as it is',
    marbles(({ expectObservable }) => {
      expectObservable(finding()({ id: 'n1', thread: opened })).toBe('(t|)', { t: opened });
    }),
  );

  it(
    'claims a thread that is open before its turn',
    marbles(({ cold, expectObservable }) => {
      const record = { ...recordOf(), claim: () => cold<'current'>('--(c|)', { c: 'current' }) };
      const thread = { ...opened, record };
      expectObservable(finding()({ id: 'n1', thread })).toBe('      --(t|)', { t: thread });
    }),
  );

  it(
    'resumes a thread that another process has gone on with; what was approved for the session stays',
    marbles(({ cold, expectObservable, flush }) => {
      const recorded: Recorded = [];
      const record = { ...recordOf(recorded), claim: () => cold<'stale'>(' --(s|)', { s: 'stale' }) };
      const thread = { ...opened, record };
      const resume = () => of(stored({ id: 'n1' }));
      const found$ = finding({ resume })({ id: 'n1', thread });
      const kept$ = found$.pipe(map(({ approvals, history }) => [approvals === opened.approvals, history.past]));
      expectObservable(kept$).toBe('                               --(t|)', { t: [true, items] });
      flush();
      expect(recorded).toEqual(['closed']);
    }),
  );

  it(
    'fails with the process that has the thread now',
    marbles(({ cold, expectObservable }) => {
      const record = { ...recordOf(), claim: () => cold<never>('   -#', undefined, new ThreadError('in use')) };
      const thread = { ...opened, record };
      expectObservable(finding()({ id: 'n1', thread })).toBe('   -#', undefined, new CannotBegin('in use'));
    }),
  );

  it('gives a new thread at once where its store and its folder do', () => {
    const record = recordOf();
    const deps = { ...around({}).native, openWorkspace: () => opened.workspace };
    const begun = (begin: ThreadStore['begin']) => findThread(deps, storeOf({ begin }).store)({ settings: {} });
    expect(begun(() => record)).toMatchObject({ record });
    const failing = (error: Error) => () =>
      begun(() => {
        throw error;
      });
    expect(failing(new FileError('disk is full'))).toThrow(new CannotBegin('disk is full'));
    expect(failing(new TypeError('a bug'))).toThrow(TypeError);
  });

  it(
    'fails with the reason why a thread cannot begin',
    marbles(({ cold, expectObservable }) => {
      const begin = () => cold<never>('                        -#', undefined, new ThreadError('no store'));
      expectObservable(finding({ begin })({ settings: {} })).toBe('-#', undefined, new CannotBegin('no store'));
    }),
  );

  it(
    'starts a thread, whose record begins with what only its caller knows',
    marbles(({ expectObservable, flush }) => {
      const started: ThreadStart[] = [];
      const begin = (start: ThreadStart) => {
        started.push(start);
        return of(recordOf());
      };
      const settings = { profile: 'p', baseInstructions: 'Be.', model: 'm' };
      expectObservable(facts(finding({ begin })({ settings }))).toBe('(t|)', { t: { id: 'n1', past: [], model: 'm' } });
      flush();
      expect(started).toEqual([
        { id: 'n1', cwd: '/repo', provider: config().provider.id, baseInstructions: 'Be.', own: { profile: 'p' } },
      ]);
    }),
  );

  it(
    'resumes a stored thread when it has been read, under what still holds of its settings',
    marbles(({ cold, expectObservable }) => {
      const deps: Partial<FindDeps> = {
        storedSettings: ({ cwd }) => ({ cwd }),
        configure: (settings) => config({ model: JSON.stringify(settings) }),
      };
      const resume = () => cold('                             --s|', { s: stored() });
      expectObservable(facts(finding({ resume }, deps)({ id: 'n9' }))).toBe('--t|', {
        t: { id: 'n9', past: items, model: '{"cwd":"/b"}' },
      });
    }),
  );

  it.each([
    ['the store', new ThreadError('in use'), new CannotBegin('in use')],
    ['the disk', new FileError('no'), new CannotBegin('no')],
    ['a bug', new TypeError('bug'), new TypeError('bug')],
  ])('fails with the reason of %s', (_, error, expected) =>
    marbles(({ expectObservable }) => {
      expectObservable(finding({ resume: () => throwError(() => error) })({ id: 'n9' })).toBe('#', undefined, expected);
    })(),
  );

  it(
    'gives a thread back whose settings cannot be used',
    marbles(({ expectObservable, flush }) => {
      const recorded: Recorded = [];
      const fault = new ConfigError('no folder');
      const configure = () => {
        throw fault;
      };
      const resume = () => of(stored({ record: recordOf(recorded) }));
      expectObservable(finding({ resume }, { configure })({ id: 'n9' })).toBe('#', undefined, fault);
      flush();
      expect(recorded).toEqual(['closed']);
    }),
  );

  it(
    'names what helps if the folder of the thread is gone',
    marbles(({ expectObservable }) => {
      const configure = () => {
        throw new ConfigError('argument cwd: "/gone" is not an existing folder');
      };
      const text =
        'The folder of the thread n9, /b, cannot be used any more. Make it again, or name another folder as cwd, in which the thread goes on.';
      const resume = () => of(stored());
      expectObservable(finding({ resume }, { configure })({ id: 'n9' })).toBe('#', undefined, new CannotBegin(text));
    }),
  );

  it(
    'refuses the newest thread where there is none',
    marbles(({ expectObservable }) => {
      const text = 'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.';
      expectObservable(finding()({})).toBe('#', undefined, new CannotBegin(text));
    }),
  );
});
