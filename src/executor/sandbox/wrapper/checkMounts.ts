/** The check of its mounts that a sandbox runs before its command: what bubblewrap mounted is what it was asked to mount. */

const MOVED = 'is not what it was a moment before; try again when no other command moves folders there';

/** The table is read once, from beginning to end: bash's `read` would read bytes twice, which may have changed in between; other shells do not. */
const EACH_ROW = {
  bash: ['mapfile -t rows </proc/self/mountinfo', `for row in "\${rows[@]}"; do`],
  sh: ['while IFS= read -r row; do'],
};
const LAST_ROW = { bash: ['done'], sh: ['done </proc/self/mountinfo'] };

/** What is done with one row of the table. */
const READ_ROW = [
  'set -- $row',
  `device=$3 root=$4 target=$5 access=\${6%%,*}`,
  'while [ "$1" != - ]; do shift; done',
  "case $2 in cgroup*) root='*';;",
  'tmpfs|proc|devpts) case $devices in *" $device "*) ;; *) device=new;; esac;;',
  'esac',
  'mount="$target $root $device $access" seen="$seen$mount$n"',
  'case $may in *"$n$mount$n"*) continue;; esac',
  `case $once in *"$n$mount$n"*) once=\${once%%"$n$mount$n"*}$n\${once#*"$n$mount$n"}; continue;; esac`,
  'case $target.$2 in /dev/console.devpts) continue;; esac',
  `if [ "$access" = ro ] || [ -e "$(printf '%b' "$target")" ]; then refuse "$target"; fi`,
];

/**
 * A shell script of builtin commands only. Ends with 126 and the reason where a mount is missing or is one that nobody asked for: a
 * command in another sandbox put a link in the place of a folder while bubblewrap looked for it.
 * A mount that bubblewrap could not make read-only, since this user cannot reach it, is accepted. `/dev/console` is there for a terminal.
 * @param fd where the expected mounts are open
 */
export const checkMounts = (shell: 'bash' | 'sh', fd: number): string =>
  [
    ...['refuse() {', `printf '%s\\n' "the sandbox could not be made: $1 ${MOVED}" >&2`, 'exit 126', '}'],
    ...['check() {', "local n='", "'"],
    'local may="$n" once="$n" need= seen="$n" devices= kind mount row rows device root target access',
    'while read -r kind mount; do',
    'case $kind in',
    'devices) devices=" $mount ";; need) need=$need$mount$n;; may) may=$may$mount$n;; once) once=$once$mount$n;;',
    'esac',
    `done <&${fd}`,
    ...['set -f', ...EACH_ROW[shell], ...READ_ROW, ...LAST_ROW[shell]],
    'while [ "$need" ]; do',
    `mount=\${need%%"$n"*} need=\${need#*"$n"}`,
    `case $seen in *"$n$mount$n"*) ;; *) refuse "\${mount%% *}";; esac`,
    'done',
    '}',
    'check',
  ].join('\n');
