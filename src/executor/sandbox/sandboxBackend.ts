/** A backend whose processes run in a sandbox. */
import { defer, finalize, map, type Observable, of, tap } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import type { Backend, InSandbox, Started } from '../backend';
import type { Entered } from './enterSandbox';
import { SandboxError } from './sandbox';
import type { Wrapped } from './wrapper/wrapForSandbox';

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
 * ways to end are those of `backend`. Where no sandbox can be made the process fails, and nothing was started.
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
