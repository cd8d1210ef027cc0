/** Wraps a command for Linux: bubblewrap makes the namespaces and mounts, a filter of the kernel takes care of sockets. */
import type { ProcessSpec } from '../../protocol/exec';
import { PROCESS_MARK } from '../../transport';
import { type Mount, mountsOf } from './mountsOf';
import type { Sandbox } from './sandbox';

/**
 * What a sandbox is made with; absolute paths. `shell` opens the files and closes what was inherited, bash where there is one;
 * `env` sets signals back, undefined where it cannot; `limits`: options that this bubblewrap and this kernel know.
 */
export type Bubblewrap = {
  kind: 'bubblewrap';
  bwrap: string;
  shell: readonly string[];
  env: string | undefined;
  limits: readonly string[];
  filters: Record<Sandbox['network'], string>;
};

/** Set for commands, as Codex does. */
export const NO_NETWORK = { CODEX_SANDBOX_NETWORK_DISABLED: '1' };

const FILTER_FD = '3';
const ARGS_FD = '4';

/**
 * Closes what a parent of ours left open, then becomes bubblewrap. `$0` is the filter, `$1` the file of further arguments.
 * bubblewrap is to outlive signals for the group, which are meant for the command; inside they are set back.
 * A descriptor of two digits is one that only bash can close.
 */
const script = (closable: string, signals: string): string =>
  [
    `for f in /proc/self/fd/*; do f=\${f##*/}; case $f in [0-2]) ;; ${closable}) eval "exec $f>&-" 2>/dev/null;; esac; done`,
    ...(signals === '' ? [] : [`trap '' ${signals}`]),
    'filter=$0 args=$1',
    'shift',
    `exec "$@" ${FILTER_FD}<"$filter" ${ARGS_FD}<"$args"`,
  ].join('\n');

const SIGNALS = ['INT', 'TERM'];

const scriptOf = ({ shell, env }: Bubblewrap): string =>
  script(shell[0]?.endsWith('/bash') ? '*' : '[0-9]', env === undefined ? '' : SIGNALS.join(' '));

/** Every namespace is the sandbox's own; root in it is nobody outside, and has no capability. */
const ISOLATION = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--die-with-parent'],
];
/** `/proc` is read-only too: a daemon of root could set the kernel by `/proc/sys`, for which root needs no capability. */
const BASE = ['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'];

/** What lies on the disk comes first, for it would cover the rest. */
const rootOf = ({ writable }: Sandbox): string[] => [writable.includes('/') ? '--bind' : '--ro-bind', '/', '/'];

const toOptions = ({ kind, path }: Mount): string[] => {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path];
    case 'readOnly':
      return ['--ro-bind', path, path];
    case 'hiddenFile':
      return ['--ro-bind', '/dev/null', path]; // a device on a mount without devices: it cannot be opened
    case 'hiddenFolder':
      return ['--perms', '0000', '--tmpfs', path, '--remount-ro', path];
  }
};

/** The command inside: its signals are set back, and it sees PWD only if it was given one. */
const inner = ({ env }: Bubblewrap, { argv, env: own }: ProcessSpec): readonly string[] => {
  if (env === undefined || argv[0]?.includes('=')) return argv; // env would take it for a variable
  const without = own.PWD === undefined ? ['-u', 'PWD'] : [];
  return [env, ...without, `--default-signal=${SIGNALS.join(',')}`, '--', ...argv];
};

/**
 * The environment of the command, as arguments that bubblewrap reads from a file: on a command line every user of the machine
 * could read it, and in the environment of bubblewrap itself a variable such as LD_PRELOAD would run code outside.
 */
export const toArgsFile = ({ network }: Sandbox, { env }: ProcessSpec): Uint8Array => {
  const all: Record<string, string> = { ...env, ...(network === 'closed' && NO_NETWORK) };
  const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_'].filter((name) => all[name] === undefined);
  const unset = [...ofShell, PROCESS_MARK]; // the namespace ends with the command, so nothing inside needs the mark
  const options = [
    ...unset.flatMap((name) => ['--unsetenv', name]),
    ...Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  return Buffer.from(options.map((option) => `${option}\0`).join(''));
};

/**
 * The process to start instead. Its group is that of the command too, and dies with it: what leaves the group dies with the
 * namespace of processes. Its exit code is that of the command, 128 + n after signal n.
 * @param argsPath a file with what `toArgsFile` gives
 */
export const toBubblewrap = (wrapper: Bubblewrap, sandbox: Sandbox, argsPath: string) => {
  const { bwrap, shell, limits, filters } = wrapper;
  return (spec: ProcessSpec): ProcessSpec => ({
    ...spec,
    argv: [
      ...[...shell, '-c', scriptOf(wrapper), filters[sandbox.network], argsPath],
      ...[bwrap, '--seccomp', FILTER_FD, '--args', ARGS_FD],
      ...limits,
      ...ISOLATION,
      ...(sandbox.network === 'closed' ? ['--unshare-net'] : []),
      ...rootOf(sandbox),
      ...BASE,
      ...mountsOf(sandbox)
        .filter(({ path }) => path !== '/')
        .flatMap(toOptions),
      ...['--chdir', spec.cwd, '--'],
      ...inner(wrapper, spec),
    ],
    cwd: '/',
    env: {},
  });
};
