/** A patch applied by hand: the text is read from a file or from stdin. */
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { concatMap, defer, from, map, type Observable, of } from 'rxjs';
import { toProgramText } from '../patch/failureText';
import { type PatchHereDeps, patchHere } from './patchHere';

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

const STDIN = '-';

/** Emits the text of a file, or of `stdin` for `-`, and completes. Errors with the error of the system. */
export const readPatch = (stdin: Readable, file: string): Observable<string> =>
  defer(() => from(file === STDIN ? readAll(stdin) : readFile(file, 'utf8')));

const readAll = async (stdin: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};
