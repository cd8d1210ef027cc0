import { of } from 'rxjs';
import type { ProcessEnd } from '../../../../src/protocol/methods/host';
import { gitDiffToRemote } from '../../../../src/server/codex/codexMethods';
import { asked, hostWith } from '../../../protocol/methods/host';
import { marbles } from '../../../support/marbles';

const ended = (stdout: string, exitCode = 0, stderr = ''): ProcessEnd => ({ exitCode, stdout, stderr, isCut: false });
const failure = (reason: string) => ({
  name: 'RpcError',
  code: -32600,
  message: `failed to compute git diff to remote for cwd: "/w": ${reason}`,
});

/** Git by its first argument; a diff of an untracked file names it last. */
const git = (outputs: Record<string, ProcessEnd>) => (_: string, args: readonly string[]) =>
  of(outputs[args.includes('--no-index') ? String(args.at(-1)) : String(args[0])] ?? ended('', 1, 'unexpected'));
const run = (outputs: Record<string, ProcessEnd>) =>
  gitDiffToRemote(hostWith({ git: git(outputs) }))(asked('gitDiffToRemote', { cwd: '/w' }));

describe('gitDiffToRemote', () => {
  it(
    'answers with the newest commit of a remote, the diff to it, and untracked files',
    marbles(({ expectObservable }) => {
      const outputs = {
        'rev-parse': ended('c2\n'),
        'rev-list': ended('c2\nc1\n-b0\n'),
        diff: ended('D', 1),
        'ls-files': ended('u 1\0u2\0'),
        'u 1': ended('+1', 1),
        u2: ended('+2', 1),
      };
      expectObservable(run(outputs)).toBe('(R|)', { R: { kind: 'result', result: { sha: 'b0', diff: 'D+1+2' } } });
    }),
  );

  it(
    'takes the head where a remote has it',
    marbles(({ expectObservable }) => {
      const outputs = { 'rev-list': ended(''), 'rev-parse': ended('h\n'), diff: ended(''), 'ls-files': ended('') };
      expectObservable(run(outputs)).toBe('(R|)', { R: { kind: 'result', result: { sha: 'h', diff: '' } } });
    }),
  );

  it.each<[string, ProcessEnd, string]>([
    ['a folder without repository', ended('', 128, 'fatal: not a git repository\n'), 'fatal: not a git repository'],
    ['no commit', ended('', 1), 'the repository has no commit yet; commit and push first'],
  ])('fails with the reason: %s', (_, head, reason) =>
    marbles(({ expectObservable }) => {
      expectObservable(run({ 'rev-parse': head })).toBe('#', {}, failure(reason));
    })(),
  );

  it.each<[string, ProcessEnd, string]>([
    ['no remote', ended('c1\n'), 'no remote has a commit of this branch; fetch or push it first'],
    ['too much output', { ...ended(''), isCut: true }, 'the diff is too large'],
  ])('fails with the reason: %s', (_, listed, reason) =>
    marbles(({ expectObservable }) => {
      expectObservable(run({ 'rev-parse': ended('c1\n'), 'rev-list': listed })).toBe('#', {}, failure(reason));
    })(),
  );
});
