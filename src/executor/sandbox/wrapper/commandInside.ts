/** The command as bubblewrap starts it: after a check of the mounts, with the files for that closed, and signals reset. */
import type { ProcessSpec } from '../../../protocol/exec/process';

/** Where the expected mounts are open. */
export const EXPECTED_FD = 5;

/** Variables that shells set by themselves. */
export const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** Signals that bubblewrap ignores and the command does not. */
export const SIGNALS = ['INT', 'TERM'];

/** Variables that load code into programs; the check of the mounts does not run with them. */
const BRINGS_CODE = /^(LD_[A-Za-z0-9_]+|GLIBC_TUNABLES|GCONV_PATH|LOCPATH)$/;

const keptAs = (name: string): string => `CODEX_RX_${name}`;

/** The environment that the shell inside starts with. */
export const toCheckedEnv = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [BRINGS_CODE.test(name) ? keptAs(name) : name, value]));

/** True for a shell that has arrays, and descriptors of more than one digit. */
export const isBash = ([program]: readonly string[]): boolean => program?.endsWith('/bash') ?? false;

/** The programs and descriptors inside the sandbox. */
export type InsideDeps = {
  shell: readonly string[];
  env: string | undefined;
  /** Descriptors of the mounts; empty if nothing is checked. */
  fds: readonly number[];
};

/**
 * The command inside. The folders that its mounts were made from are closed, as an open folder outside leads anywhere. Its signals are
 * reset, and variables that shells add are removed, unless it was given them.
 */
export const commandInside = ({ shell, env, fds }: InsideDeps, { argv, env: own }: ProcessSpec): readonly string[] => {
  const checking = fds.length === 0 ? [] : [...shell, '-c', scriptOf(shell, fds, Object.keys(own)), 'sh'];
  if (env === undefined || argv[0]?.includes('=')) return [...checking, ...argv]; // env would take it for a variable
  const added = fds.length === 0 ? ['PWD'] : OF_SHELL;
  const without = added.filter((name) => own[name] === undefined).flatMap((name) => ['-u', name]);
  return [...checking, env, ...without, `--default-signal=${SIGNALS.join(',')}`, '--', ...argv];
};

const scriptOf = (shell: readonly string[], fds: readonly number[], names: readonly string[]): string =>
  [
    checkMounts(isBash(shell) ? 'bash' : 'sh', EXPECTED_FD),
    ...names
      .filter((name) => BRINGS_CODE.test(name))
      .map((name) => `export ${name}="$${keptAs(name)}"; unset ${keptAs(name)}`),
    `exec ${fds.map((fd) => `${fd}<&-`).join(' ')}`,
    'exec "$@"',
  ].join('\n');

/** The check of its mounts that a sandbox runs before its command: bubblewrap mounted exactly the given paths. */
const MOVED = 'is not what it was a moment before; try again when no other command moves folders there';

/** The table is read once, from beginning to end: bash's `read` would read bytes twice, which may have changed in between; other shells do not. */
const EACH_ROW = {
  bash: ['mapfile -t rows </proc/self/mountinfo', `for row in "\${rows[@]}"; do`],
  sh: ['while IFS= read -r row; do'],
};
const LAST_ROW = { bash: ['done'], sh: ['done </proc/self/mountinfo'] };

/** What is expected, and what was seen. Bash has tables, as looking through texts takes seconds for the mounts of a thousand submodules. */
const SETS = {
  bash: {
    made: 'local -A may once seen; local need=() hide=()',
    add: 'need) need+=("$mount");; hide) hide+=("$mount");; may) may[$mount]=x;; once) once[$mount]+=x;;',
    row: [
      'mount="$target $root $device $access"; seen[$mount]=x',
      `if [ "\${may[$mount]}" ]; then continue; fi`,
      `if [ "\${once[$mount]}" ]; then once[$mount]=\${once[$mount]#x}; continue; fi`,
    ],
    eachUnseen: (list: string, act: string) => [
      `for mount in "\${${list}[@]}"; do`,
      `if [ ! "\${seen[$mount]}" ]; then ${act} "\${mount%% *}"; fi`,
      'done',
    ],
  },
  sh: {
    made: ["local n='", '\'; local may="$n" once="$n" need= hide= seen="$n"'].join('\n'),
    add: 'need) need=$need$mount$n;; hide) hide=$hide$mount$n;; may) may=$may$mount$n;; once) once=$once$mount$n;;',
    row: [
      'mount="$target $root $device $access" seen="$seen$mount$n"',
      'case $may in *"$n$mount$n"*) continue;; esac',
      `case $once in *"$n$mount$n"*) once=\${once%%"$n$mount$n"*}$n\${once#*"$n$mount$n"}; continue;; esac`,
    ],
    eachUnseen: (list: string, act: string) => [
      `while [ "$${list}" ]; do`,
      `mount=\${${list}%%"$n"*} ${list}=\${${list}#*"$n"}`,
      `case $seen in *"$n$mount$n"*) ;; *) ${act} "\${mount%% *}";; esac`,
      'done',
    ],
  },
};

/** Reads one row of the table; `seen` is what is done with its mount. */
const readRow = (seen: readonly string[]): string[] => [
  'set -- $row',
  `device=$3 root=$4 target=$5 access=\${6%%,*}`,
  'while [ "$1" != - ]; do shift; done',
  "case $2 in cgroup*) root='*';;",
  'tmpfs|proc|devpts) case $devices in *" $device "*) ;; *) device=new;; esac;;',
  'esac',
  ...seen,
  'case $target.$2 in /dev/console.devpts) continue;; esac',
  `if [ "$access" = ro ]; then refuse "$target"; else unless_gone "$target"; fi`,
];

/** Makes `at` of a path as the table writes it. A blank and a digit, `\0402`, would be one character to `printf`, and `$()` cuts line breaks at the end. */
const DECODE = [
  'decode() {',
  'local rest="$1"',
  'at=',
  `while case $rest in *\\\\*) ;; *) false;; esac; do at=$at\${rest%%\\\\*}\\\\0 rest=\${rest#*\\\\}; done`,
  `at=$(printf '%b.' "$at$rest")`,
  `at=\${at%.}`,
  '}',
];

/**
 * A shell script of builtin commands only. Ends with 126 and the reason if a mount is missing, or nobody asked for it: a
 * command in another sandbox put a link in the place of a folder while bubblewrap looked for it.
 * A mount that bubblewrap could not make read-only, since this user cannot reach it, is accepted. `/dev/console` is there for a terminal.
 * @param fd where the expected mounts are open
 */
export const checkMounts = (shell: 'bash' | 'sh', fd: number): string => {
  const { made, add, row, eachUnseen } = SETS[shell];
  return [
    ...['refuse() {', `printf '%s\\n' "the sandbox could not be made: $1 ${MOVED}" >&2`, 'exit 126', '}'],
    ...DECODE,
    `unless_gone() { local at; decode "$1"; if [ -e "$at" ]; then refuse "$1"; fi; }`,
    // A program may have removed its socket; an empty file may stand in for it, made by the bubblewrap of another sandbox.
    `unless_empty() { local at; decode "$1"; if [ ! -f "$at" ] || [ -s "$at" ]; then unless_gone "$1"; fi; }`,
    ...['check() {', made, 'local devices= kind mount row rows device root target access'],
    ...[
      'while read -r kind mount; do',
      'case $kind in',
      `devices) devices=" $mount ";; ${add}`,
      'esac',
      `done <&${fd}`,
    ],
    ...['set -f', ...EACH_ROW[shell], ...readRow(row), ...LAST_ROW[shell]],
    ...[...eachUnseen('need', 'refuse'), ...eachUnseen('hide', 'unless_empty')],
    ...['}', 'check'],
  ].join('\n');
};
