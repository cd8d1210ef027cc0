/** A watcher: a tiny process that ends our children when we cannot, because we were killed. */
import type { ChildProcess } from 'node:child_process';
import { Observable, Subject, take } from 'rxjs';
import { counter } from '../../streams/counter';
import type { ProcessMarks, Spawn, WatchGroup } from './child';

const TARGETS = {
  group: (id: number) => `-${id}`,
  process: (id: number) => `${id}`,
  server: (id: number) => `later-${id}`,
};

type WatchGroupsDeps = {
  spawn: Spawn;
  /** As Node names it; on linux processes are found by their marks, and on win32 there is no watcher. */
  platform?: string;
  /** The mark of this process, if another process of ours started it: its own marks continue it, so that the end of that process finds them too. */
  mark?: string | undefined;
};

/**
 * A watcher for process groups, started with the first group or mark, started again when it was killed. It has a session of its
 * own, so signals to our group do not reach it, and it shares nothing with us but one end of a pipe.
 */
export const watchGroups = ({ spawn, platform = process.platform, mark = '' }: WatchGroupsDeps): WatchGroup => {
  if (platform === 'win32') return () => () => {}; // the children of a Node process end with it there
  const targets = new Set<string>();
  const prefix = platform === 'linux' ? newPrefix(MARK.test(mark) ? mark : '') : undefined;
  const args = ['sh', ...(prefix === undefined ? [] : [`${PROCESS_MARK}=${prefix}`])];
  const watcher = openWatcher({ spawn, script: WATCHER_SCRIPT, args, targets });
  const watch = (id: number, what: keyof typeof TARGETS = 'group') => {
    const target = TARGETS[what](id);
    targets.add(target);
    watcher.send(`+ ${target}`);
    return () => {
      if (targets.delete(target)) watcher.send(`- ${target}`);
    };
  };
  return Object.assign(watch, { marks: prefix === undefined ? undefined : marksOf(prefix, watcher) });
};

/** The environment variable that marks all descendants of a command. */
export const PROCESS_MARK = 'CODEX_RX_PROCESS';

/** What `marksOf` makes; the watcher looks for it in the environments of all processes, so nothing else may get there. */
const MARK = /^(?:\d+-[0-9a-z]+-\d+\.){1,8}$/;

/** One for this process and this watcher: process ids are reused. The time is in ns since the system started. */
const newPrefix = (mark: string): string => `${mark}${process.pid}-${process.hrtime.bigint().toString(36)}-`;

/** A dot ends each value, so that none is the beginning of another. */
const marksOf = (prefix: string, watcher: Watcher): ProcessMarks => {
  const nextNumber = counter();
  return {
    next: () => {
      watcher.start();
      return { name: PROCESS_MARK, value: `${prefix}${nextNumber()}.` };
    },
    kill: (value) => {
      watcher.start();
      watcher.send(`mark ${PROCESS_MARK}=${value}`);
    },
  };
};

type WatcherDeps = {
  spawn: Spawn;
  script: string;
  /** Of the script, `$0` first. */
  args: readonly string[];
  targets: ReadonlySet<string>;
};

type Watcher = {
  start: () => void;
  /** Writes a line to the watcher if it runs. */
  write: (line: string) => void;
  /** The same, or starts the watcher, which gets all targets. */
  send: (line: string) => void;
};

/** A script of the shell that reads lines and outlives this process, whose end is the end of its input. */
export const openWatcher = ({ spawn, script, args, targets }: WatcherDeps): Watcher => {
  let watcher: ChildProcess | undefined;
  const write = (line: string): void => {
    watcher?.stdin?.write(`${line}\n`);
  };
  const start = (): void => {
    if (watcher) return;
    const child = spawn('/bin/sh', ['-c', script, ...args], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (watcher === child) watcher = undefined;
    };
    child.on('error', forget).on('exit', forget).unref();
    child.stdin?.on('error', forget);
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    watcher = child;
    for (const target of targets) write(`+ ${target}`);
  };
  return { start, write, send: (line) => (watcher ? write(line) : start()) };
};

/**
 * Reads `+ target` and `- target`, as kill takes them: `-7` for group 7; `mark M` for processes to find by mark M and kill. At the
 * end of its input, which is our end however we die, it kills what is left: targets with what is below them, stopped before so that none starts
 * another meanwhile, those with `later` after a second, and all processes with a mark that begins with $1, several times, as some may be between fork
 * and exec. Without $1 it kills the targets only.
 * If /proc has other numbers than kill takes (a PID namespace with the /proc of outside), nothing is looked for there.
 * Node cannot ask Linux for a signal at the death of a parent, and that signal would reach no grandchild anyway.
 */
const WATCHER_SCRIPT = `trap '' HUP INT TERM
mark=$1
targets=' '
numbered=
read -r own rest </proc/self/stat && [ "$own" = $$ ] && numbered=1
sweep() {
  tries=0
  [ -n "$numbered" ] || return
  while [ $tries -lt 9 ]; do
    files=$(grep -slF -e "$1" /proc/[0-9]*/environ)
    [ -n "$files" ] || break
    for file in $files; do
      pid=\${file#/proc/}
      kill -s KILL "\${pid%/environ}"
    done 2>/dev/null
    tries=$((tries + 1))
  done
}
below() {
  [ -n "$numbered" ] || return
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v roots="$1" '
    BEGIN { count = split(roots, all, " "); for (i = 1; i <= count; i++) { sub(/^-/, "", all[i]); isRoot[all[i]] = 1 } }
    { rest = $0; sub(/^.*[)] /, "", rest); split(rest, field, " "); parent[$1] = field[2] }
    END { for (one in parent) {
      at = parent[one]
      for (steps = 0; at > 1 && !isRoot[at] && steps < 999; steps++) at = parent[at]
      if (isRoot[at]) print one
    } }' 2>/dev/null | sort
}
send() {
  for target in $2; do kill -s "$1" -- "$target"; done 2>/dev/null
}
end() {
  [ -n "$1" ] || return
  children=
  tries=0
  while [ -n "$mark" ] && [ $tries -lt 9 ]; do
    send STOP "$1 $children"
    found=$(below "$1")
    [ "$found" != "$children" ] || break
    children=$found
    tries=$((tries + 1))
  done
  send KILL "$1 $children"
}
while read -r sign target; do
  case $sign in
    +) targets="$targets$target " ;;
    -) targets="\${targets%% $target *} \${targets#* $target }" ;;
    mark) sweep "$target" ;;
  esac
done
now=
later=
for target in $targets; do
  case $target in
    later*) later="$later \${target#later}" ;;
    *) now="$now $target" ;;
  esac
done
end "$now"
if [ -z "$later" ]; then
  [ -z "$mark" ] || sweep "$mark"
fi
[ -z "$later$mark" ] || sleep 1
end "$later"
[ -z "$mark" ] || sweep "$mark"`;

type CountedGroups = {
  /** Registers groups as before. */
  watch: WatchGroup;
  /** Completes when no registered group lives, or at once. */
  none$: Observable<never>;
};

/**
 * Counts the groups that live.
 *   group  +-+-----|--|    (two groups begin and end)
 *   none$  --------   |
 */
export const countGroups = (watch: WatchGroup): CountedGroups => {
  const living = new Set<object>();
  const none$ = new Subject<void>(); // the wire from the last group to the subscribers
  const counted = (...group: Parameters<WatchGroup>) => {
    const own = {};
    const forget = watch(...group);
    living.add(own);
    return () => {
      forget();
      if (living.delete(own) && living.size === 0) none$.next();
    };
  };
  return {
    watch: Object.assign(counted, { marks: watch.marks }),
    none$: new Observable((subscriber) => {
      if (living.size === 0) return subscriber.complete();
      return none$.pipe(take(1)).subscribe(() => subscriber.complete());
    }),
  };
};
