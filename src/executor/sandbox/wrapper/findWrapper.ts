/** Finds out whether commands can run in a sandbox on this machine, and with what. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  finalize,
  from,
  last,
  map,
  type Observable,
  of,
  reduce,
  scan,
  takeWhile,
  tap,
} from 'rxjs';
import type { ProcessEvent } from '../../../protocol/exec/process';
import { atOnce } from '../../../streams/pausing';
import type { Backend, Started } from '../../backend';
import { type Sandbox, whyNotMade } from '../sandbox';
import { seccompFilter } from './seccompFilter';
import type { Bubblewrap } from './toBubblewrap';
import { type HoldBytes, type WrapDeps, type Wrapper, wrapForSandbox } from './wrapForSandbox';

/** Where programs are searched, and how they are tried. */
export type FindWrapperDeps = WrapDeps & {
  /** Runs the trials on this machine, unwrapped. */
  backend: Backend;
  /** Finds a program by its name, in folders that no workspace can write to. */
  find: (name: string) => string | undefined;
  /** As Node names it. */
  platform: string;
  /** As Node names it. */
  arch: string;
};

/** What makes sandboxes here; or why nothing does and what helps, in words for the user. */
export type FoundWrapper = { kind: 'ready'; wrapper: Wrapper } | { kind: 'missing'; remedy: string };

const missing = (remedy: string): FoundWrapper => ({ kind: 'missing', remedy });

const NOT_INSTALLED =
  'there is no sandbox on this system, because bubblewrap is not installed; install the package bubblewrap (Debian and Ubuntu: apt-get install bubblewrap)';
const CLOSED =
  'user namespaces are closed on this system, so bubblewrap cannot make a sandbox; open them (sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu an AppArmor profile for bwrap), or in a container allow them';
const COVERED =
  'bubblewrap cannot make a sandbox on this system, because the kernel lets it mount no /proc of its own while parts of /proc are covered, as in a container; show all of /proc (Docker: --security-opt systempaths=unconfined, Podman: --security-opt unmask=ALL, Kubernetes: procMount: Unmasked)';
const TOO_OLD = 'the installed bubblewrap is too old to make a sandbox; install version 0.5 or newer';

/** Newer bubblewraps and kernels can do more; the first set that works is used. The last is for a bubblewrap that is setuid. */
const LIMITS = [['--unshare-user', '--disable-userns'], ['--unshare-user'], []];

/** Finds and tries the program that makes sandboxes. Emits once; errors only by a bug. Source: bubblewrap 0.8; macOS: /usr/bin/sandbox-exec. */
export const findWrapper = (deps: FindWrapperDeps): Observable<FoundWrapper> => {
  if (deps.platform === 'darwin') return defer(() => findSeatbelt(deps));
  if (deps.platform !== 'linux') return of(missing(`there is no sandbox on this system (${deps.platform})`));
  return defer(() => findBubblewrap(deps)).pipe(
    catchError((error) => of(missing(`there is no sandbox here: ${whyNotMade(error)}`))),
  );
};

const SEATBELT: Wrapper = { kind: 'seatbelt', sandboxExec: '/usr/bin/sandbox-exec' };

/** Has every rule that a profile may have, so that one trial shows whether the system knows them all. */
const OF_ALL_RULES: Sandbox = {
  writable: ['/private/tmp'],
  readOnly: ['/private/tmp/.codex-rx/.git'],
  hidden: [
    { path: '/private/tmp/.codex-rx/file', kind: 'file' },
    { path: '/private/tmp/.codex-rx/folder', kind: 'folder' },
  ],
  network: 'open',
};

const findSeatbelt = ({ backend, ...deps }: FindWrapperDeps): Observable<FoundWrapper> =>
  tryWrapper(
    backend,
    deps,
    OF_ALL_RULES,
  )(SEATBELT).pipe(
    map(({ exitCode, stderr }) =>
      exitCode === 0
        ? { kind: 'ready', wrapper: SEATBELT }
        : missing(`sandbox-exec cannot make a sandbox on this system (${firstLineOf(stderr)})`),
    ),
  );

const findBubblewrap = ({ find, arch, backend, ...deps }: FindWrapperDeps): Observable<FoundWrapper> => {
  const [closed, open, local] = (['closed', 'open', 'local'] as const).map((sockets) => seccompFilter(arch, sockets));
  if (closed === undefined || open === undefined || local === undefined)
    return of(missing(`there is no sandbox for this processor (${arch})`));
  const bwrap = find('bwrap');
  if (bwrap === undefined) return of(missing(NOT_INSTALLED));
  const held: ReturnType<HoldBytes>[] = [];
  const hold = (bytes: Uint8Array): string => {
    const one = deps.holdBytes(bytes);
    held.push(one);
    return one.path;
  };
  return defer(() => {
    const filters = { closed: hold(closed), open: hold(open), local: hold(local) };
    return firstWorking(wrappersOf(find, { kind: 'bubblewrap', bwrap, filters }), tryWrapper(backend, deps));
  }).pipe(
    tap(({ kind }) => {
      if (kind === 'ready') held.length = 0; // the commands to come need them
    }),
    finalize(() => {
      for (const { release } of held) release(); // also if nobody waits for it any more
    }),
  );
};

/** The ways to use a bubblewrap, the best first. */
const wrappersOf = (
  find: FindWrapperDeps['find'],
  common: Pick<Bubblewrap, 'kind' | 'bwrap' | 'filters'>,
): Bubblewrap[] => {
  const bash = find('bash');
  const env = find('env');
  const shell = bash === undefined ? ['/bin/sh'] : [bash, ...AS_IT_IS];
  return LIMITS.flatMap((limits) =>
    [...(env === undefined ? [] : [env]), undefined].map(
      (one): Bubblewrap => ({ ...common, shell, limits, proc: 'own', env: one }),
    ),
  );
};

/** No functions or options from the environment, no file at start: with a socket as its input bash acts as a remote shell. */
const AS_IT_IS = ['--norc', '--noprofile', '-p'];

type Attempt = (wrapper: Bubblewrap) => Observable<Trial>;

const works = ({ exitCode }: Trial): boolean => exitCode === 0;

/** One after another, until one works; else the error of the first one. */
const firstWorking = (wrappers: readonly Bubblewrap[], attempt: Attempt): Observable<FoundWrapper> =>
  from(wrappers).pipe(
    concatMap((wrapper) => attemptBoth(attempt, wrapper)),
    takeWhile((trial) => !works(trial), true),
    scan(({ first }, trial) => ({ first: first ?? trial, trial }), {} as { first?: Trial; trial?: Trial }),
    last(),
    map(({ first, trial }) =>
      trial && works(trial) ? { kind: 'ready', wrapper: trial.wrapper } : missing(remedyOf(first?.stderr ?? '')),
    ),
  );

/** Source: bubblewrap 0.8, SETUP_MOUNT_PROC. */
const PROC_REFUSED = /mount proc\b/i;

/** As Codex does: if no /proc can be mounted, the /proc of outside is shown. Without a user namespace that would open other processes to the command. */
const attemptBoth = (attempt: Attempt, wrapper: Bubblewrap): Observable<Trial> =>
  attempt(wrapper).pipe(
    concatMap((trial) => {
      const again = PROC_REFUSED.test(trial.stderr) && wrapper.limits.includes('--unshare-user');
      return concat(of(trial), again && !works(trial) ? attempt({ ...wrapper, proc: 'outer' }) : EMPTY);
    }),
  );

const firstLineOf = (text: string): string => text.trim().split('\n')[0] ?? '';

const remedyOf = (stderr: string): string => {
  if (/unknown option/i.test(stderr)) return TOO_OLD;
  const reason = firstLineOf(stderr);
  if (PROC_REFUSED.test(reason)) return `${COVERED} (${reason})`;
  return /permi(?:ssion|tted)|namespace|No space left/i.test(reason)
    ? `${CLOSED} (${reason})`
    : `bubblewrap cannot make a sandbox on this system (${reason}); run bwrap --ro-bind / / true by hand to see why`;
};

type Trial = {
  wrapper: Wrapper;
  /** Undefined if nothing was started. */
  exitCode: number | undefined;
  /** The error output, or why nothing was started. */
  stderr: string;
};

const NOTHING: Sandbox = { writable: [], readOnly: [], hidden: [], network: 'closed' };

/** Emits once how the trial of a wrapper ended, and completes. */
const tryWrapper =
  (backend: Backend, deps: WrapDeps, sandbox = NOTHING) =>
  (wrapper: Wrapper): Observable<Trial> =>
    defer(() => {
      const wrap = wrapForSandbox(deps, wrapper);
      const { spec, release } = atOnce(wrap(sandbox, { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {} }));
      const trial: Trial = { wrapper, exitCode: undefined, stderr: '' };
      return backend.start(spec).pipe(reduce(addTo, trial), finalize(release));
    });

const addTo = (trial: Trial, event: Started | ProcessEvent): Trial => {
  switch (event.kind) {
    case 'exited':
      return { ...trial, exitCode: event.exitCode };
    case 'output':
      return { ...trial, stderr: trial.stderr + Buffer.from(event.chunk).toString() };
    case 'failed':
      return { ...trial, stderr: event.reason };
    default:
      return trial;
  }
};
