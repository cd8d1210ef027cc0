/** A patch applied by hand. */
import { concatMap, from, map, type Observable, of } from 'rxjs';
import { toProgramText } from '../patch/failureText';
import { type PatchHereDeps, patchHere } from './patchHere';

/** What the program prints, and how it ends. */
export type ProgramResult = { stdout: string; stderr: string; exitCode: number };

const FAILED = 1;

/**
 * Applies a patch to the files of a folder, and of any other that it names: a person who runs it by hand may change what the system allows.
 * What killed processes left half done is settled before. Emits what to print and completes; errors only on a bug.
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
