/** `codex-rx apply-patch`: applies a patch by hand. Its text is read from a file or from stdin. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { catchError, concatMap, defer, EMPTY, from, map, mergeMap, type Observable, of } from 'rxjs';
import { type PatchHereDeps, patchHere } from '../../executor/localPatch/patchHere';
import { toProgramText } from '../../executor/patch/failureText';
import { type Log, silentLog } from '../../protocol/log';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs, remarkInput } from '../ending';
import { exitCode } from '../exitCode';
import { printData } from '../terminal';
import { thisProcess } from '../thisProcess';

const STDIN = '-';

/** What becomes of patches that were interrupted is for the person who runs this. */
const logAsRemarks: Log = (level, message, fields) => {
  const isForPerson = level === 'warning' || level === 'error';
  return isForPerson
    ? remarkAs('apply-patch')(`${message}: ${JSON.stringify(fields)}`)
    : silentLog(level, message, fields);
};

export const applyPatch = defineCommand({
  usage: '$0 apply-patch [FILE|-]',
  positionals: { file: { type: 'string', describe: 'A file with the patch; - for stdin, which is the default' } },
  options: { cd: { alias: 'C', type: 'string', describe: 'Folder from which relative paths in the patch start' } },
  afterDashes: 'nothing',
  examples: [
    ['$0 apply-patch change.patch', 'prints the files that changed'],
    ['$0 apply-patch --cd src < change.patch', 'a patch on stdin, with paths relative to src'],
  ],
  epilogue: 'Exit codes: 0 applied, 1 not applied, and then no file has changed, 2 there is no patch to read.',
  run: ({ file = STDIN, cd }) => {
    const { stdin, stderr } = process;
    const { cwd, codexHome, platform } = thisProcess(cd);
    const apply = runApplyPatch({ codexHome, platform, log: logAsRemarks });
    if (file === STDIN) remarkInput('apply-patch', 'the patch');
    readPatch(stdin, file === STDIN ? file : resolve(file))
      .pipe(
        catchError(({ message }: Error) => {
          remarkAs('apply-patch')(`the patch cannot be read: ${message}`);
          process.exitCode = exitCode.unusable;
          return EMPTY;
        }),
        mergeMap((text) => apply({ text, cwd })),
      )
      .subscribe({
        next: ({ stdout: done, stderr: failure, exitCode: code }) => {
          printData(done);
          printData(failure, stderr);
          process.exitCode = code;
        },
        error: failAs('apply-patch'),
      })
      .add(exitWhenWritten('apply-patch'));
  },
});

/** What the program prints, and how it ends. */
type ProgramResult = { stdout: string; stderr: string; exitCode: number };

const FAILED = 1;

/**
 * Applies a patch to the files that it names, in any folder: a person who runs it by hand may change what the system allows.
 * Patches that killed processes left half done are settled before. Emits what to print and completes; errors only on a bug.
 * Source: Codex 0.28.0, cases `apply_patch`: texts and exit codes.
 */
export const runApplyPatch =
  (deps: PatchHereDeps) =>
  ({ text, cwd }: { text: string; cwd: string }): Observable<ProgramResult> => {
    const { check, apply, recover } = patchHere(deps);
    return from(recover()).pipe(
      concatMap(() => check(text, cwd)),
      concatMap((plan) =>
        plan.kind === 'plan'
          ? apply({ plan, mayWrite: () => true })
          : of({ kind: 'failed' as const, message: toProgramText(plan) }),
      ),
      map((outcome) =>
        outcome.kind === 'applied'
          ? { stdout: outcome.summary, stderr: '', exitCode: 0 }
          : { stdout: '', stderr: `${outcome.message}\n`, exitCode: FAILED },
      ),
    );
  };

/** Emits the text of a file, or of `stdin` for `-`, and completes. Errors with the error of the system. */
export const readPatch = (stdin: Readable, file: string): Observable<string> =>
  defer(() => from(file === STDIN ? readAll(stdin) : readFile(file, 'utf8')));

const readAll = async (stdin: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};
