/** Patches of the files of another machine. */
import { catchError, defer, firstValueFrom, map, type Observable, of } from 'rxjs';
import type { FileChange, WholeFiles } from '../../executor';
import { checkPatch, type FilePlan, type PatchOrder, type PatchOutcome, refusalOf } from '../../patch';
import { METHOD_NOT_FOUND, RpcError } from '../../protocol/jsonrpc';
import { reasonOf } from '../../text';
import type { Patches } from '../seamPorts';
import { lookElsewhere } from './lookElsewhere';

/** @param files as free as the ceiling of the executor lets them; @param confined those of the sandbox of the thread */
export type PatchesElsewhereDeps = { files: WholeFiles; confined: WholeFiles };

/**
 * The plan is made here of what the files there hold; the executor applies it as a whole, all files or none, in the sandbox of the thread unless a person
 * approved more. Never errors.
 */
export const patchesElsewhere = ({ files, confined }: PatchesElsewhereDeps): Patches => ({
  check: checkPatch({
    look: lookElsewhere({ files }),
    recover: async () => {}, // each executor does so itself
    isFolder: (path) =>
      firstValueFrom(
        files.facts(path).pipe(
          map(({ isDirectory }) => isDirectory),
          catchError(() => of(false)), // whatever the reason: nothing can be patched there
        ),
      ),
  }),
  apply: (order) =>
    defer((): Observable<PatchOutcome> => {
      const message = refusalOf(order);
      return message === undefined ? applied(order.within ? confined : files, order) : of({ kind: 'failed', message });
    }),
});

const applied = ({ change }: WholeFiles, { plan }: PatchOrder): Observable<PatchOutcome> =>
  change(plan.files.map(changeOfFile)).pipe(
    map((outcome): PatchOutcome => (outcome.kind === 'applied' ? { ...outcome, summary: plan.summary } : outcome)),
    catchError((error) => of<PatchOutcome>({ kind: 'failed', message: textOf(error) })),
  );

const changeOfFile = ({ before, after, ...change }: FilePlan): FileChange => ({
  ...change,
  ...(before && { before }),
  ...(after && { after }),
});

const textOf = (error: unknown): string =>
  error instanceof RpcError && error.code === METHOD_NOT_FOUND
    ? 'The executor of this environment cannot apply patches: it has no fs/applyChanges, which exec-servers of codex-rx have. No file was changed'
    : `The executor did not apply the patch: ${reasonOf(error)}`;
