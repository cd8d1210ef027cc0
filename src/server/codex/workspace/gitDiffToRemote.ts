/** `gitDiffToRemote`: what the working tree has that no remote has. */
import { concat, concatMap, defer, EMPTY, from, map, type Observable, reduce } from 'rxjs';
import { type CodexHost, HostError, type ProcessEnd } from '../../../protocol/methods/host';
import { GitDiffParams } from '../../../protocol/methods/workspaceParams';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { mapInTurn } from '../../../streams/scanInTurn';
import { badRequest, type CodexMethod, readParams, withFaults } from '../../method';

type GitHost = Pick<CodexHost, 'git' | 'folder'>;

/**
 * The newest commit of the current branch line that a remote has, and the diff from it to the working tree; untracked files
 * come last, one diff each. Source: Codex 0.28.0, WIRE 10.7.
 */
export const gitDiffToRemote =
  ({ git, folder }: GitHost): CodexMethod =>
  (request) => {
    const { cwd } = readParams(GitDiffParams(), request);
    const failure = `failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`;
    return withFaults(badRequest(`${failure}: `), () => {
      const run = runIn(git, folder(cwd));
      return commitOnRemote(run).pipe(
        concatMap((sha) => diffFrom(run, sha).pipe(map((diff) => toResult({ sha, diff })))),
      );
    });
  };

type Git = (args: readonly string[], codes?: readonly number[]) => Observable<string>;

/** The output of a git command; errors with HostError where it fails or has too much to say. */
const runIn =
  (git: CodexHost['git'], folder: string): Git =>
  (args, codes = [0]) =>
    git(folder, args).pipe(map((end) => outputOf(end, codes)));

const outputOf = ({ exitCode, stdout, stderr, isCut }: ProcessEnd, codes: readonly number[]): string => {
  if (isCut) throw new HostError('the diff is too large');
  if (!codes.includes(exitCode)) throw new HostError(stderr.trim() || `git ended with code ${exitCode}`);
  return stdout;
};

/** `--boundary` marks the first commits that a remote has by a dash; without any the branch itself is on a remote. */
const commitOnRemote = (run: Git): Observable<string> =>
  headOf(run).pipe(
    concatMap((head) =>
      run(['rev-list', '--boundary', '--first-parent', head, '--not', '--remotes']).pipe(
        map((listed) => {
          const lines = listed.split('\n').filter(Boolean);
          const sha = lines.length === 0 ? head : lines.find((line) => line.startsWith('-'))?.slice(1);
          if (sha === undefined) throw new HostError('no remote has a commit of this branch; fetch or push it first');
          return sha;
        }),
      ),
    ),
  );

/** Git prints nothing and ends with code 1 where there is no commit. */
const headOf = (run: Git): Observable<string> =>
  run(['rev-parse', '--verify', '--quiet', 'HEAD'], [0, 1]).pipe(
    map((head) => {
      if (head === '') throw new HostError('the repository has no commit yet; commit and push first');
      return head.trim();
    }),
  );

const OPTIONS = ['--no-textconv', '--no-ext-diff', '--no-color'];
/** Ends with code 1 where there is a difference. */
const DIFFERS = [0, 1];

const diffFrom = (run: Git, sha: string): Observable<string> =>
  concat(run(['diff', ...OPTIONS, sha], DIFFERS), untrackedDiffs(run)).pipe(reduce((all, one) => all + one, ''));

const untrackedDiffs = (run: Git): Observable<string> =>
  defer(() => run(['ls-files', '--others', '--exclude-standard', '-z'])).pipe(
    concatMap((names) => (names === '' ? EMPTY : from(names.split('\0').filter(Boolean)))),
    mapInTurn((name) => run(['diff', ...OPTIONS, '--binary', '--no-index', '--', '/dev/null', name], DIFFERS)),
  );
