/** What a working tree has that no remote has, in one process, so in one sandbox, however many files there are. */
import { map } from 'rxjs';
import { type CodexHost, HostError, type ProcessEnd } from '../../protocol/methods/host';
import { GitDiffParams } from '../../protocol/methods/methodParams';
import { toResult } from '../../protocol/rpc/answerOnce';
import { badRequest, type CodexMethod, readParams, withFaults } from '../method';

const DIFF = 'diff --no-textconv --no-ext-diff --no-color';

/** The exit codes of the script for what a person can mend; other failures have the words of git. */
const FAULTS: Readonly<Record<number, string>> = {
  1: 'the repository has no commit yet; commit and push first', // git prints nothing then
  3: 'no remote has a commit of this branch; fetch or push it first',
};

/**
 * Prints the commit, a line break, and the diffs. An alias runs in the top folder of the repository, so it goes back first; in a linked work tree and in a
 * submodule it gets `GIT_DIR`, by which git takes the folder that it is in for the top.
 * - `--boundary` marks the first commits that a remote has by a dash; without any commit the branch itself is on a remote.
 * - Untracked files come last, one diff each, as `--no-index` shows them. An own index names them all, in the memory of the sandbox: a git for each file
 *   takes a thousand times as long. Their ids in it are wrong, so git reads the files. Other repositories end by a slash, and are left out.
 * - Without such a memory, as on macOS, each file has its git.
 */
const SCRIPT = `f() {
unset GIT_DIR && cd "./$GIT_PREFIX" && head=$(git rev-parse --verify --quiet HEAD) || return
list=$(git rev-list --boundary --first-parent "$head" --not --remotes) || return 2
case $list in
'') sha=$head ;;
*-*) sha=\${list#*-} sha=\${sha%%[!0-9a-f]*} ;;
*) return 3 ;;
esac
echo "$sha" && git ${DIFF} "$sha" || return 2
others() { git ls-files --others --exclude-standard -z "$@"; }
if [ ! -w /dev/shm ]; then
others | xargs -0 sh -c 'for name; do git ${DIFF} --binary --no-index -- /dev/null "$name" || [ $? = 1 ] || exit 255; done' sh || return 2
return 0
fi
others --full-name > /dev/shm/names || return 2
[ -s /dev/shm/names ] || return 0
none=$(git hash-object -t tree /dev/null) && export GIT_INDEX_FILE=/dev/shm/index || return 2
tr '\\n\\0' '\\0\\n' < /dev/shm/names | sed -e '/\\/$/d' -e "s/^/100644 $none 0\t/" | tr '\\n\\0' '\\0\\n' |
git -c core.splitIndex=false update-index -z --index-info || return 2
git -c core.fileMode=true -c core.sparseCheckout=false ${DIFF} --binary --relative "$none" || return 2
}; f`;

/** The newest commit that a remote has, and the diff from it to the working tree, untracked files last. Source: Codex 0.28.0, WIRE 10.7. */
export const gitDiffToRemote =
  ({ git, folder }: Pick<CodexHost, 'git' | 'folder'>): CodexMethod =>
  (request) => {
    const { cwd } = readParams(GitDiffParams(), request);
    const failure = `failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`;
    return withFaults(badRequest(`${failure}: `), () =>
      git(folder(cwd), ['-c', `alias.diff-to-remote=!${SCRIPT}`, 'diff-to-remote']).pipe(map(toDiff), map(toResult)),
    );
  };

const toDiff = ({ exitCode, stdout, stderr, isCut }: ProcessEnd): { sha: string; diff: string } => {
  if (isCut) throw new HostError('the diff is too large; list generated files in .gitignore');
  if (exitCode !== 0) throw new HostError(stderr.trim() || (FAULTS[exitCode] ?? `git ended with code ${exitCode}`));
  const end = stdout.indexOf('\n');
  return { sha: stdout.slice(0, end), diff: stdout.slice(end + 1) };
};
