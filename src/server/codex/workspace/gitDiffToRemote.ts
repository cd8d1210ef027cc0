/** `gitDiffToRemote`: what the working tree has that no remote has. */
import { concat, concatMap, defer, EMPTY, from, map, type Observable, of, reduce, throwError } from 'rxjs';
import { GitDiffParams } from '../../../protocol/codex';
import { toResult } from '../../../rpc';
import { type CodexHost, HostError, type ProcessEnd } from '../host';
import { badRequest, type CodexMethod, readParams, withFaults } from '../method';

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
  run(['rev-list', '--boundary', '--first-parent', 'HEAD', '--not', '--remotes']).pipe(
    concatMap((listed) => {
      const lines = listed.split('\n').filter(Boolean);
      const sha = lines.find((line) => line.startsWith('-'))?.slice(1);
      if (sha !== undefined) return of(sha);
      return lines.length === 0
        ? run(['rev-parse', 'HEAD']).pipe(map((head) => head.trim()))
        : throwError(() => new HostError('no remote has a commit of this branch; fetch or push it first'));
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
    concatMap((name) => run(['diff', ...OPTIONS, '--binary', '--no-index', '--', '/dev/null', name], DIFFERS)),
  );
