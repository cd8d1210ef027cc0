/** Makes sandboxes on this machine; looks for the program that does it when the first one is needed. */
import { concatMap, defer, finalize, map, type Observable, of, shareReplay, tap } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import type { Backend, InSandbox, Started } from '../backend';
import type { Entered } from './enterSandbox';
import { SandboxError } from './sandbox';
import { type FindWrapperDeps, type FoundWrapper, findWrapper } from './wrapper/findWrapper';
import { type Wrapped, wrapForSandbox } from './wrapper/wrapForSandbox';

/** @param log gets one warning if no sandbox works */
export type SandboxMakerDeps = FindWrapperDeps & Pick<SandboxBackendDeps, 'cannotRun' | 'later'> & { log: Log };

/**
 * `found$` emits once and completes. `inside` is a backend whose processes each run in a sandbox of their own, which `enter`
 * makes; if there is nothing to make sandboxes with, they fail with the remedy.
 */
export type SandboxMaker = {
  found$: Observable<FoundWrapper>;
  inside: (backend: Backend, enter: () => Entered) => Backend;
};

const TYPES = { bubblewrap: 'linuxSeccomp', seatbelt: 'macosSeatbelt' } as const;

/** What makes the sandboxes of this machine, by its platform. */
export const sandboxMaker = (deps: SandboxMakerDeps): SandboxMaker => {
  const found$ = findWrapper(deps).pipe(
    tap((found) => found.kind === 'missing' && deps.log('warning', found.remedy)),
    shareReplay(1),
  );
  const failed = (reason: string) => of<ProcessEvent>({ kind: 'failed', seq: 1, reason });
  return {
    found$,
    inside: (backend, enter) => ({
      start: (spec) =>
        found$.pipe(
          concatMap((found) => {
            if (found.kind === 'missing') return failed(found.remedy);
            const wrap = wrapForSandbox(deps, found.wrapper);
            return sandboxBackend({ ...deps, backend, enter, wrap, type: TYPES[found.wrapper.kind] }).start(spec);
          }),
        ),
    }),
  };
};

/**
 * @param enter makes the sandbox of one process; @param wrap puts a process into it
 * @param type of these sandboxes; @param cannotRun why a process cannot be started, undefined when it can: the error of the wrapper would be less clear
 * @param later runs an action once a process that was killed is certainly gone
 */
export type SandboxBackendDeps = {
  backend: Backend;
  enter: () => Entered;
  wrap: (sandbox: Entered['sandbox'], spec: ProcessSpec) => Wrapped;
  type: InSandbox['type'];
  cannotRun: (spec: ProcessSpec) => string | undefined;
  later: (action: () => void) => void;
};

/**
 * Starts each process in a sandbox of its own, made when it starts and given up when it is over. Events, exit codes and the
 * ways to end are those of `backend`. If no sandbox can be made the process fails, and nothing was started.
 */
export const sandboxBackend = (deps: SandboxBackendDeps): Backend => ({
  start: (spec) =>
    defer(() => {
      const prepared = deps.cannotRun(spec) ?? prepare(deps, spec);
      return typeof prepared === 'string' ? fail(prepared) : living(deps, prepared);
    }),
});

const fail = (reason: string): Observable<ProcessEvent> => of({ kind: 'failed', seq: 1, reason });

type Prepared = Wrapped & Pick<InSandbox, 'network'>;

const prepare = ({ enter, wrap }: SandboxBackendDeps, spec: ProcessSpec): Prepared | string => {
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0).reverse()) each(); // the files first: what is removed after them needs descriptors
  };
  try {
    const entered = enter();
    releases.push(entered.release);
    const wrapped = wrap(entered.sandbox, spec);
    releases.push(wrapped.release);
    return { spec: wrapped.spec, release, network: entered.sandbox.network };
  } catch (error) {
    release();
    if (error instanceof SandboxError) return `the sandbox could not be made: ${error.message}`;
    if (isOfSystem(error)) return `the sandbox could not be made: ${error.message}; free some of what has run out`;
    throw error;
  }
};

/** Too many open files, or a full disk. */
const SCARCE = ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EFBIG'];
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && SCARCE.includes(String((error as NodeJS.ErrnoException).code));

const LAST: readonly (Started | ProcessEvent)['kind'][] = ['closed', 'failed'];

/** The names that a sandbox reserves stay reserved until no process in it can act any more. */
const living = (
  { backend, later, type }: SandboxBackendDeps,
  { spec, release, network }: Prepared,
): Observable<Started | ProcessEvent> =>
  backend.start(spec).pipe(
    map((event) => (event.kind === 'started' ? { ...event, sandbox: { type, network } } : event)),
    tap(({ kind }) => LAST.includes(kind) && release()),
    finalize(() => later(release)),
  );
