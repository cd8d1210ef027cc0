/** Wraps a command for Linux: bubblewrap makes the namespaces and mounts, a kernel filter restricts sockets. */
import { PROCESS_MARK } from '../../../io/processes/watchGroups';
import type { ProcessSpec } from '../../../protocol/exec/process';
import type { Sandbox, Sockets } from '../sandbox';
import { commandInside, EXPECTED_FD, isBash, OF_SHELL, SIGNALS, toCheckedEnv } from './commandInside';
import type { Mount } from './mountsOf';

/** The programs and options of a sandbox; absolute paths. */
export type Bubblewrap = {
  kind: 'bubblewrap';
  bwrap: string;
  /** Opens the files and closes what was inherited; bash if there is one. */
  shell: readonly string[];
  /** Resets signals; undefined if it cannot. */
  env: string | undefined;
  /** Options that this bubblewrap and this kernel know. */
  limits: readonly string[];
  /** Whether the sandbox gets its own /proc, or the /proc of outside: the kernel refuses an own one if parts of /proc are covered, as in containers. */
  proc: 'own' | 'outer';
  filters: Record<Sockets, string>;
};

/** The source of a mount at `target`: a path that processes started from here can use, but processes in the sandbox cannot. */
export type Source = { target: string; path: string };

/** Set for commands, as Codex does. */
export const NO_NETWORK = { CODEX_SANDBOX_NETWORK_DISABLED: '1' };

const FILTER_FD = '3';
const ARGS_FD = '4';
const FIRST_SOURCE_FD = EXPECTED_FD + 1;
/** A shell that is not bash knows only descriptors of one digit. */
const MAX_SOURCES = 4;

/**
 * Closes what a parent of ours left open, then becomes bubblewrap. `$0` is the filter, `$1` the file of further arguments, and
 * after it come the sources of what is writable.
 * bubblewrap ignores signals to the group, which are meant for the command; inside they are reset.
 * Only bash can close a descriptor of two digits.
 */
const script = (closable: string, signals: string, fds: readonly number[]): string =>
  [
    `for f in /proc/self/fd/*; do f=\${f##*/}; case $f in [0-2]) ;; ${closable}) eval "exec $f>&-" 2>/dev/null;; esac; done`,
    ...(signals === '' ? [] : [`trap '' ${signals}`]),
    ['filter=$0 args=$1', ...fds.map((fd, i) => `s${fd}=\${${i + 2}}`)].join(' '),
    `shift ${fds.length + 1}`,
    [`exec "$@" ${FILTER_FD}<"$filter" ${ARGS_FD}<"$args"`, ...fds.map((fd) => `${fd}<"$s${fd}"`)].join(' '),
  ].join('\n');

const scriptOf = (wrapper: Bubblewrap, fds: readonly number[]): string =>
  script(isBash(wrapper.shell) ? '*' : '[0-9]', wrapper.env === undefined ? '' : SIGNALS.join(' '), fds);

/** Every namespace is the sandbox's own; root in it is nobody outside, and has no capability. */
const ISOLATION = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--die-with-parent'],
];
/**
 * `/proc` is read-only too: under a daemon that runs as root, a command could change kernel settings in `/proc/sys`, for which root needs no capability.
 * The /proc of outside shows other processes, but in a user namespace of its own a command gets neither their memory, files nor environment.
 * Source: Linux, __ptrace_may_access.
 */
const PROC = { own: ['--proc', '/proc', '--remount-ro', '/proc'], outer: ['--ro-bind', '/proc', '/proc'] };

const socketsOf = ({ network, unixSockets = false }: Sandbox): Sockets =>
  network === 'open' && unixSockets ? 'local' : network;

/** Mounts from the disk are first, because they would cover the rest. */
const rootOf = ({ writable }: Sandbox): string[] => [writable.includes('/') ? '--bind' : '--ro-bind', '/', '/'];

const toOptions = (from: ReadonlyMap<string, number>, mount: Mount): string[] => {
  const { path } = mount;
  const fd = from.get(path);
  switch (mount.kind) {
    case 'writable':
      return ['--bind', fd === undefined ? path : `/proc/self/fd/${fd}`, path];
    case 'device':
      return ['--dev-bind', path, path];
    case 'readOnly':
      return ['--ro-bind', path, path];
    case 'shown':
      return ['--ro-bind-try', path, path];
    case 'link':
      return ['--symlink', mount.target, path];
    case 'sparse':
      return ['--tmpfs', path];
    case 'empty':
      return ['--tmpfs', path, '--remount-ro', path]; // made if it is not there: another user's process may remove what stood in for it
    case 'hiddenFile':
      return ['--ro-bind', '/dev/null', path]; // a device on a mount without devices: it cannot be opened
    case 'hiddenFolder':
      return ['--perms', '0000', '--tmpfs', path, '--remount-ro', path];
  }
};

/** Makes the sparse folders read-only, once their entries are made. */
const closeSparse = (mounts: readonly Mount[]): string[] =>
  mounts.flatMap(({ kind, path }) => (kind === 'sparse' ? ['--remount-ro', path] : []));

/**
 * The environment of the command, as arguments that bubblewrap reads from a file: on a command line every user of the machine
 * could read it, and in the environment of bubblewrap itself a variable such as LD_PRELOAD would run code outside.
 */
export const toArgsFile = ({ network }: Sandbox, { env }: ProcessSpec): Uint8Array => {
  const all = toCheckedEnv({ ...env, ...(network === 'closed' && NO_NETWORK) });
  const ofShell = OF_SHELL.filter((name) => all[name] === undefined);
  const unset = [...ofShell, PROCESS_MARK]; // the namespace ends with the command, so nothing inside needs the mark
  const options = [
    ...unset.flatMap((name) => ['--unsetenv', name]),
    ...Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  return Buffer.from(options.map((option) => `${option}\0`).join(''));
};

/** Files for the sandbox: its environment; the mounts it may have, undefined if nobody could have changed them; its writable paths. */
type Opened = { argsPath: string; expectedPath: string | undefined; sources: readonly Source[] };

/**
 * The process to start instead. Its group is also the group of the command, and dies with it: what leaves the group dies with the
 * namespace of processes. It has the exit code of the command, 128 + n after signal n; 126 if its mounts are not as expected.
 */
export const toBubblewrap = (
  wrapper: Bubblewrap,
  sandbox: Sandbox & { mounts: readonly Mount[] },
  { argsPath, expectedPath, sources }: Opened,
) => {
  const { bwrap, shell, limits, proc, filters } = wrapper;
  const used = isBash(wrapper.shell) ? sources : sources.slice(0, MAX_SOURCES);
  const from = new Map(used.map(({ target }, i) => [target, FIRST_SOURCE_FD + i]));
  const fds = expectedPath === undefined ? [] : [EXPECTED_FD, ...from.values()];
  const paths = expectedPath === undefined ? [] : [expectedPath, ...used.map(({ path }) => path)];
  return (spec: ProcessSpec): ProcessSpec => ({
    ...spec,
    argv: [
      ...[...shell, '-c', scriptOf(wrapper, fds), filters[socketsOf(sandbox)], argsPath, ...paths],
      ...[bwrap, '--seccomp', FILTER_FD, '--args', ARGS_FD],
      ...limits,
      ...ISOLATION,
      ...(sandbox.network === 'closed' ? ['--unshare-net'] : []),
      ...rootOf(sandbox),
      ...['--dev', '/dev', ...PROC[proc]],
      ...sandbox.mounts.filter(({ path }) => path !== '/').flatMap((mount) => toOptions(from, mount)),
      ...closeSparse(sandbox.mounts),
      ...['--chdir', spec.cwd, '--'],
      ...commandInside({ ...wrapper, fds }, spec),
    ],
    cwd: '/',
    env: {},
  });
};
