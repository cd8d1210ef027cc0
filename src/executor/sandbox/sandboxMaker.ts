/** Makes sandboxes on this machine. The program that makes them is searched when the first is needed, and again while there is none. */
import {
  concatMap,
  defer,
  finalize,
  map,
  type Observable,
  of,
  ReplaySubject,
  type SchedulerLike,
  share,
  tap,
} from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import { lazy, memoize } from '../../streams/lazy';
import { inTurns, type Pausing } from '../../streams/pausing';
import type { Backend, InSandbox, Started } from '../backend';
import type { Entered } from './enterSandbox';
import { FolderMoved, whyNotMade } from './sandbox';
import type { FindWrapperDeps, FoundWrapper } from './wrapper/findWrapper';
import type { Wrapped } from './wrapper/wrapForSandbox';

/** How processes get into a sandbox. */
export type SandboxMakerDeps = FindWrapperDeps &
  Pick<SandboxBackendDeps, 'cannotRun' | 'later' | 'starts'> & {
    /** Gets each reason once why no sandbox works. */
    log: Log;
  };

/** Whether commands can run in a sandbox now. */
export type Readiness =
  | { kind: 'ready' }
  | {
      kind: 'missing';
      /** Why not, and what helps. */
      remedy: string;
    };

/**
 * Finds out once for all who ask, as long as what was found is still there. That nothing makes sandboxes is not kept: who asks later, maybe after the
 * remedy, causes another look. Who leaves early ends the look.
 */
export const foundOnce = <T extends Readiness>(
  look$: Observable<T>,
  isThere: (found: T) => boolean = () => true,
): Observable<T> => {
  let kept: T | undefined;
  const shared$ = look$.pipe(
    tap((found) => {
      kept = found.kind === 'ready' ? found : undefined;
    }),
    share({ connector: () => new ReplaySubject(1) }),
  );
  return defer(() => (kept !== undefined && isThere(kept) ? of(kept) : shared$));
};

type SandboxMaker = {
  /** Emits once and completes. */
  found$: Observable<FoundWrapper>;
  /** A backend whose processes each run in a sandbox of their own, which `enter` makes. If nothing can make sandboxes, they fail with the remedy. */
  inside: (backend: Backend, enter: () => Pausing<Entered>) => Backend;
};

/** Loaded by the first command in a sandbox. */
const wrappers = lazy(() => require('./wrapper/findWrapper') as typeof import('./wrapper/findWrapper'));
const wrapping = lazy(() => require('./wrapper/wrapForSandbox') as typeof import('./wrapper/wrapForSandbox'));

const TYPES = { bubblewrap: 'linuxSeccomp', seatbelt: 'macosSeatbelt' } as const;

/** What makes the sandboxes of this machine, by its platform. */
export const sandboxMaker = (deps: SandboxMakerDeps): SandboxMaker => {
  const warn = memoize((remedy) => deps.log('warning', remedy)); // once each
  const isThere = (found: FoundWrapper) =>
    found.kind !== 'ready' || found.wrapper.kind !== 'bubblewrap' || found.wrapper.bwrap === deps.find('bwrap');
  const found$ = foundOnce(
    defer(() => wrappers().findWrapper(deps)),
    isThere,
  ).pipe(tap((found) => found.kind === 'missing' && warn(found.remedy)));
  const failed = (reason: string) => of<ProcessEvent>({ kind: 'failed', seq: 1, reason });
  return {
    found$,
    inside: (backend, enter) => ({
      start: (spec) =>
        found$.pipe(
          concatMap((found) => {
            if (found.kind === 'missing') return failed(found.remedy);
            const wrap = wrapping().wrapForSandbox(deps, found.wrapper);
            return sandboxBackend({ ...deps, backend, enter, wrap, type: TYPES[found.wrapper.kind] }).start(spec);
          }),
        ),
    }),
  };
};

/** How one process gets into its sandbox. */
export type SandboxBackendDeps = {
  backend: Backend;
  /** Makes the sandbox of one process. */
  enter: () => Pausing<Entered>;
  /** Puts a process into it. */
  wrap: (sandbox: Entered['sandbox'], spec: ProcessSpec) => Pausing<Wrapped>;
  /** The type of these sandboxes. */
  type: InSandbox['type'];
  /** Why a process cannot be started; undefined if it can. The error of the wrapper would be less clear. */
  cannotRun: (spec: ProcessSpec) => string | undefined;
  /** Runs an action once a process that was killed is certainly gone. */
  later: (action: () => void) => void;
  /** Looks at the disk before a command, many of which may begin at once: see `startsInTurns`. */
  starts: SchedulerLike;
};

/**
 * Starts each process in a sandbox of its own, made when it starts and given up when it is over. Events, exit codes and the
 * ways to end are the same as in `backend`. If no sandbox can be made the process fails, and nothing was started.
 */
export const sandboxBackend = (deps: SandboxBackendDeps): Backend => ({
  start: (spec) =>
    defer(() => {
      const reason = deps.cannotRun(spec);
      if (reason !== undefined) return fail(reason);
      return inTurns(deps.starts, () => prepare(deps, spec)).pipe(
        concatMap((prepared) => (typeof prepared === 'string' ? fail(prepared) : living(deps, prepared))),
      );
    }),
});

const fail = (reason: string): Observable<ProcessEvent> => of({ kind: 'failed', seq: 1, reason });

type Prepared = Wrapped & Pick<InSandbox, 'network'> & { tidy: () => void };

/** How often the disk is looked at again if a folder is moved meanwhile. */
const LOOKS = 3;

function* prepare(deps: SandboxBackendDeps, spec: ProcessSpec, again = LOOKS): Pausing<Prepared | string> {
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0).reverse()) each(); // the files first: later removals need descriptors
  };
  let isDone = false;
  try {
    const entered = yield* deps.enter();
    const { tidy = () => {} } = entered;
    releases.push(entered.release, tidy);
    const wrapped = yield* deps.wrap(entered.sandbox, spec);
    releases.push(wrapped.release);
    isDone = true;
    return { spec: wrapped.spec, release, tidy, network: entered.sandbox.network };
  } catch (error) {
    if (!(error instanceof FolderMoved) || again === 0) return `the sandbox could not be made: ${whyNotMade(error)}`;
  } finally {
    if (!isDone) release(); // also if nobody waits for it any more
  }
  return yield* prepare(deps, spec, again - 1);
}

const LAST: readonly (Started | ProcessEvent)['kind'][] = ['closed', 'failed'];

/** The names that a sandbox reserves stay reserved until no process in it can act any more. */
const living = (
  { backend, later, type }: SandboxBackendDeps,
  { spec, release, tidy, network }: Prepared,
): Observable<Started | ProcessEvent> =>
  backend.start(spec).pipe(
    map((event) => (event.kind === 'started' ? { ...event, sandbox: { type, network } } : event)),
    tap((event) => event.kind === 'output' && event.seq === 1 && tidy()),
    tap(({ kind }) => LAST.includes(kind) && release()),
    finalize(() => later(release)),
  );
