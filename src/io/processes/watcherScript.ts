/** What the watcher of our children runs, a script for sh. */

/**
 * Reads `+ target` and `- target`, as kill takes them: `-7` for group 7; `mark M` for processes to find by mark M and kill. At the
 * end of its input, which is our end however we die, it kills what is left: targets with what is below them, those with `later` after a
 * second, and all processes with a mark that begins with $1, several times, as some may be between fork and exec. Without $1 it kills the targets only.
 * Where the numbers in /proc are not those that kill takes (a PID namespace with the /proc of outside) nothing is looked for there.
 * Node cannot ask Linux for a signal at the death of a parent, and that signal would reach no grandchild anyway.
 */
export const WATCHER_SCRIPT = `trap '' HUP INT TERM
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
    } }' 2>/dev/null
}
end() {
  [ -n "$1" ] || return
  children=
  [ -z "$mark" ] || children=$(below "$1")
  for target in $1 $children; do kill -s KILL -- "$target" 2>/dev/null; done
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
