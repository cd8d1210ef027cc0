/** The sandbox of a thread that works on a remote executor, which makes and enforces it. */
import { defer, map, type Observable, ReplaySubject, reduce, share } from 'rxjs';
import type { EnvPolicy, ProcessEvent } from '../../protocol/exec/process';
import type { ExecSandbox } from '../../protocol/exec/sandboxParams';
import type { Backend, Started } from '../backend';
import { mayWrite } from '../sandbox/mayWrite';
import type { SessionSandbox } from '../sandbox/openSandboxes';
import type { SandboxSettings } from '../sandbox/pinRoots';
import { READ_ONLY, rootsOf, toExecSandbox } from './execSandbox';

type ElsewhereDeps = {
  /** Runs processes on the executor. */
  backend: Backend;
  /** What processes inherit there. */
  envPolicy: EnvPolicy;
};

type ElsewhereSettings = Omit<SandboxSettings, 'tmpdir'>;

/** The files of another machine are not read when a patch is assessed: the executor protects them. */
const UNSEEN = {
  realpath: () => undefined,
  kindOf: () => undefined,
  readText: () => undefined,
  list: () => [],
};

/** Runs processes on the executor, in a sandbox there, or as freely as the executor's ceiling allows. */
export const placedBackend = ({ backend, envPolicy }: ElsewhereDeps, sandbox?: ExecSandbox): Backend => ({
  start: (spec) => backend.start({ ...spec, elsewhere: { envPolicy, ...(sandbox && { sandbox }) } }),
});

/**
 * The port of a sandbox over an executor. `ready$` tries it once, with a command that does nothing; if the executor refuses that, the reason is the `remedy`.
 * `mayWrite` checks the paths alone: it decides whether the user is asked. The executor decides what is written.
 */
export const sandboxElsewhere = (deps: ElsewhereDeps, settings: ElsewhereSettings): SessionSandbox => {
  const { mode, networkAccess, excludeSlashTmp } = settings;
  const asSet = placedBackend(deps, toExecSandbox(settings));
  const workspace = mode === 'read-only' ? [] : rootsOf(settings);
  const temporary = mode === 'read-only' || excludeSlashTmp ? [] : ['/tmp'];
  return {
    ready$: defer(() => tried(asSet)).pipe(
      share({ connector: () => new ReplaySubject(1), resetOnComplete: false, resetOnRefCountZero: true }),
    ),
    asSet,
    readOnly: placedBackend(deps, READ_ONLY),
    mayWrite: mayWrite({ files: UNSEEN, own: [] }, { workspace, temporary }),
    writable: [...workspace, ...temporary],
    network: mode === 'workspace-write' && networkAccess ? 'open' : 'closed',
  };
};

/** A shell is on every system that has a sandbox. */
const NOTHING = { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {} };

type Readiness = SessionSandbox['ready$'] extends Observable<infer T> ? T : never;

const tried = (backend: Backend): Observable<Readiness> =>
  backend.start(NOTHING).pipe(
    reduce((remedy: string | undefined, event) => remedyOf(event) ?? remedy, undefined),
    map((remedy) =>
      remedy === undefined ? { kind: 'ready' } : { kind: 'missing', remedy: `on the executor: ${remedy}` },
    ),
  );

const remedyOf = (event: Started | ProcessEvent): string | undefined => {
  if (event.kind === 'failed') return event.reason;
  if (event.kind === 'exited' && event.exitCode !== 0)
    return `its sandbox does not start a command (exit code ${event.exitCode})`;
  return undefined;
};
