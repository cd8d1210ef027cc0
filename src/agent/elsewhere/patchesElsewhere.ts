/** Patches of the files of another machine. */
import { catchError, defer, firstValueFrom, map, type Observable, of, throwError } from 'rxjs';
import { type PatchOrder, type PatchOutcome, refusalOf } from '../../executor/applying/transact';
import type { ChangeOutcome, FileChange } from '../../executor/files';
import { checkPatch } from '../../executor/patch/checkPatch';
import type { FilePlan } from '../../executor/patch/plan';
import type { WholeFiles } from '../../executor/remote/remoteFiles';
import { METHOD_NOT_FOUND, RpcError } from '../../protocol/jsonrpc/messages';
import { reasonOf } from '../../streams/text/reasonOf';
import type { Patches } from '../../tapes/seams/seamPorts';
import { changeByFiles } from './changeByFiles';
import { lookElsewhere } from './lookElsewhere';

/** @param files as free as the ceiling of the executor lets them; @param confined those of the sandbox of the thread */
export type PatchesElsewhereDeps = { files: WholeFiles; confined: WholeFiles };

/**
 * The plan is made here from what the files there hold. The executor applies all of it or nothing (an executor of Codex goes file by file), in the sandbox
 * of the thread unless a person approved more. Never errors.
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

const applied = (files: WholeFiles, { plan }: PatchOrder): Observable<PatchOutcome> =>
  changed(files, plan.files.map(changeOfFile)).pipe(
    map((outcome): PatchOutcome => (outcome.kind === 'applied' ? { ...outcome, summary: plan.summary } : outcome)),
    catchError((error) => of<PatchOutcome>({ kind: 'failed', message: failureText(error) })),
  );

/** Only a response says what became of the patch. */
const failureText = (error: unknown): string =>
  error instanceof RpcError
    ? `The executor did not apply the patch: ${reasonOf(error)}`
    : `It is not known whether the executor applied the patch: ${reasonOf(error)}. It applies all of a patch or nothing, after a crash when it is started again. Read the files before you go on`;

/** By one request, which exec-servers of codex-rx have, else by one for each file. */
const changed = (files: WholeFiles, changes: readonly FileChange[]): Observable<ChangeOutcome> =>
  files
    .change(changes)
    .pipe(catchError((error) => (isUnknown(error) ? changeByFiles(files, changes) : throwError(() => error))));

const isUnknown = (error: unknown): boolean => error instanceof RpcError && error.code === METHOD_NOT_FOUND;

const changeOfFile = ({ before, after, ...change }: FilePlan): FileChange => ({
  ...change,
  ...(before && { before }),
  ...(after && { after }),
});
