/** Finds the thread of a turn: an open one, a new one, or a stored one. */
import { catchError, concatMap, defer, isObservable, map, type Observable, throwError } from 'rxjs';
import { FileError } from '../io/files/fileError';
import type { ThreadSettings } from '../protocol/codex/settings';
import { type TurnSettings, withTurnSettings } from '../protocol/codex/turnSettings';
import type { Model } from '../protocol/model/model';
import type { Config } from '../settings/config';
import { ConfigError } from '../settings/faults/configError';
import { type Awaitable, mapReady, toStream } from '../streams/awaitable';
import { toVisible } from '../streams/text/visible';
import { toOwnSettings } from '../threads/lines/rolloutEntry';
import { ThreadError } from '../threads/threadError';
import type { ThreadStore } from '../threads/threadStore';
import { noHistory } from './thread/history';
import type { Thread } from './thread/steps';
import { inSameFolders, isSameMachine, type LastPlace, type OpenWorkspace, type Workspace } from './thread/workspace';
import { sessionApprovals } from './turns/approval';
import { CannotBegin, noThreadText } from './turns/rejection';
import type { ThreadEntry } from './turns/threadRegistry';

/** What finding a thread needs. */
export type FindDeps = {
  /** The configuration under these settings; throws ConfigError. */
  configure: (settings: ThreadSettings) => Config;
  /** The settings of a stored thread that may still be used. */
  storedSettings: (settings: ThreadSettings) => ThreadSettings;
  /** Makes the model of a thread. */
  modelOf: (provider: Config['provider']) => Model;
  /** An id of a new thread; never the same twice. */
  newId: () => string;
  /** Opens the place where a thread works. */
  openWorkspace: OpenWorkspace;
};

/**
 * The thread, at once if nothing has to be awaited. `lasting`: what the operation changes for good, which also applies to a thread that
 * is being resumed: its former folder may be gone. Errors with, or throws, CannotBegin if there is no thread or it cannot be used, and ConfigError.
 */
export const findThread =
  (deps: FindDeps, store: ThreadStore) =>
  ({ thread, id, settings }: ThreadEntry<Thread>, lasting?: TurnSettings): Awaitable<Thread> => {
    const resume = resumeThread({ ...deps, lasting }, store);
    if (thread !== undefined) return claimThread(resume, thread);
    if (id !== undefined) return resume(id);
    if (settings !== undefined) return startThread(deps, store, settings);
    return throwError(() => new CannotBegin(noThreadText({ newest: true })));
  };

/** An open thread stays as it is, unless another process has continued it; what a person approved for the session stays. */
const claimThread = (resume: (ref: string) => Observable<Thread>, thread: Thread): Awaitable<Thread> => {
  const claim = explained(() => thread.record.claim());
  return mapReady(claim, (claimed) => {
    if (claimed === 'current') return thread;
    const { approvals, workspace } = thread;
    thread.record.close(); // which has nothing left to give back
    return resume(thread.id).pipe(
      map((resumed) => (isSameMachine(workspace, resumed.workspace) ? { ...resumed, approvals } : resumed)),
    );
  });
};

const startThread = (deps: FindDeps, store: ThreadStore, settings: ThreadSettings): Awaitable<Thread> =>
  mapReady(configuredBy(deps, settings), (configured) => {
    const id = deps.newId();
    const begun = explained(() => begin(store, id, configured));
    return mapReady(begun, (record) => ({
      ...configured,
      id,
      history: noHistory,
      record,
      recorded: settings,
      recordedFolders: configured.workspace.folders,
      approvals: sessionApprovals(),
    }));
  });

const begin = (store: ThreadStore, id: string, { config, settings, workspace }: Configured) => {
  const { baseInstructions } = settings;
  return store.begin({
    id,
    cwd: config.cwd,
    provider: config.provider.id,
    ...(baseInstructions !== undefined && { baseInstructions }),
    own: { ...toOwnSettings(settings), ...placeOf(workspace) },
  });
};

const placeOf = ({ environment, folders }: Workspace): Partial<LastPlace> => ({
  ...(environment && { environment }),
  ...(Object.keys(folders).length > 0 && { folders }),
});

type Configured = Pick<Thread, 'settings' | 'config' | 'model' | 'workspace'>;

/** What follows from the settings of a thread. Throws ConfigError; throws or errors with CannotBegin if its machine or folder cannot be used. */
export const configuredBy = (
  { configure, modelOf, openWorkspace }: FindDeps,
  settings: ThreadSettings,
  last?: LastPlace,
): Awaitable<Configured> =>
  mapReady(openWorkspace(configure(settings), last?.environment), (opened) => {
    const workspace = inSameFolders(last, opened);
    const { config } = workspace;
    return { settings, config, model: modelOf(config.provider), workspace };
  });

const resumeThread =
  ({ lasting = {}, ...deps }: FindDeps & { lasting: TurnSettings | undefined }, store: ThreadStore) =>
  (ref: string): Observable<Thread> => {
    const resumed$ = store.resume(ref).pipe(
      concatMap(({ id, settings, items, usage, counted, record, environment, folders }) => {
        const history = { ...noHistory, past: items, ...(usage && { usage }), ...(counted && { counted }) };
        return defer(() =>
          toStream(
            configuredBy(deps, withTurnSettings(deps.storedSettings(settings), lasting), { environment, folders }),
          ),
        ).pipe(
          map((configured) => ({
            ...configured,
            id,
            history,
            record,
            recorded: settings,
            recordedFolders: folders,
            approvals: sessionApprovals(),
          })),
          catchError((error) => {
            record.close();
            return throwError(() =>
              lasting.cwd === undefined ? ofLostFolder(error, { id, cwd: settings.cwd }) : error,
            );
          }),
        );
      }),
    );
    return toStream(explained(() => resumed$));
  };

/** The folder of a stored thread may be gone, such as a worktree that was removed. */
const ofLostFolder = (error: unknown, { id, cwd }: { id: string; cwd: string | undefined }): unknown =>
  error instanceof ConfigError && error.faults.some((fault) => fault.startsWith('argument cwd: '))
    ? new CannotBegin(
        `The folder of the thread ${id}, ${toVisible(cwd ?? '')}, cannot be used any more. Make it again, or name another folder as cwd, in which the thread goes on.`,
      )
    : error;

/** If the store cannot provide the thread, that is the reason why the call cannot begin. */
const explained = <T>(ask: () => Awaitable<T>): Awaitable<T> => {
  try {
    const answer = ask();
    return isObservable(answer) ? answer.pipe(catchError((error) => throwError(() => reasonOf(error)))) : answer;
  } catch (error) {
    throw reasonOf(error as Error);
  }
};

const reasonOf = (error: Error): Error =>
  error instanceof ThreadError || error instanceof FileError ? new CannotBegin(error.message) : error;
