/** Applies the files of a patch one after another, on an executor that has no request for all of them. */
import { posix } from 'node:path';
import { defer, finalize, firstValueFrom, from, type Observable } from 'rxjs';
import { failureOf } from '../../executor/applying/failureOf';
import { isSystemError } from '../../executor/applying/systemText';
import type { ChangeOutcome, FileChange } from '../../executor/files';
import type { WholeFiles } from '../../executor/remote/remoteFiles';
import { reasonOf } from '../../streams/text/reasons';

/** What is done with a file, what rolls it back, and how its failure is described. */
type Step = { failure: string; run: () => Promise<void>; undo: () => Promise<void>; path: string };

/**
 * Checks that every file is as it was planned, then writes files, and removes last those that are to go. Where a step fails, or the
 * subscriber leaves, what was done is rolled back, except for folders that were made. Unlike fs/applyChanges it cannot roll back a part
 * after a lost connection or when the executor is killed, and a file that was removed and came back may have another mode. Emits once;
 * never errors.
 * Source: codex exec-server 0.142.0 and 0.169.0, whose fs/writeFile keeps the mode of a file, and fs/copy that of its source.
 */
export const changeByFiles = (files: WholeFiles, changes: readonly FileChange[]): Observable<ChangeOutcome> =>
  defer(() => {
    const stop = new AbortController();
    return from(run(files, changes.filter(isChanged), stop.signal)).pipe(finalize(() => stop.abort()));
  });

const isChanged = ({ before, after }: FileChange): boolean =>
  !before || !after || Buffer.compare(before.bytes, after.bytes) !== 0;

const run = async (files: WholeFiles, changes: readonly FileChange[], signal: AbortSignal): Promise<ChangeOutcome> => {
  const begun: Step[] = []; // the last one first
  for (const step of stepsOf(files, changes)) {
    try {
      if (signal.aborted) throw new Error('the patch was stopped');
      begun.unshift(step);
      await step.run();
    } catch (error) {
      const left = await leftAfter(begun);
      return { kind: 'failed', message: `${step.failure}: ${reasonOf(error)}. ${consequence(left)}` };
    }
  }
  return { kind: 'applied' };
};

/** Rolls steps back; resolves with the paths of those that could not be. */
const leftAfter = async (steps: readonly Step[]): Promise<string[]> => {
  const left: string[] = [];
  for (const { undo, path } of steps) await undo().catch((error) => left.push(`${path} (${reasonOf(error)})`));
  return left;
};

const consequence = (left: readonly string[]): string =>
  left.length === 0 ? 'No file was changed' : `These files could not be brought back: ${left.join(', ')}`;

const stepsOf = (files: WholeFiles, changes: readonly FileChange[]): Step[] => [
  ...changes.map((change) => checked(files, change)),
  ...changes.filter(({ after }) => after).map((change) => written(files, change, changes)),
  ...changes.filter(({ after }) => !after).map((change) => removed(files, change)),
];

const nothing = async (): Promise<void> => {};

const CHANGED = 'it has changed since the patch was checked; read it and send a new patch';
const LINK = 'it is a link, which this executor cannot replace';

const checked = (files: WholeFiles, change: FileChange): Step => ({
  path: change.path,
  failure: failureOf(change),
  undo: nothing,
  run: async () => {
    if (change.found === 'link' && change.after) throw new Error(LINK);
    if (!(await isAs(files, change.real, change.before?.bytes))) throw new Error(CHANGED);
  },
});

/** Whether a file holds these bytes; without them, whether it is not there. */
const isAs = async ({ read }: WholeFiles, path: string, bytes: Uint8Array | undefined): Promise<boolean> => {
  try {
    const there = await firstValueFrom(read(path, (bytes?.length ?? 0) + 1));
    return bytes !== undefined && Buffer.compare(there, bytes) === 0;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return bytes === undefined;
    throw error;
  }
};

const written = (files: WholeFiles, change: FileChange, all: readonly FileChange[]): Step => {
  const { real, before, after } = change;
  const from = before ? undefined : all.find(({ movedTo }) => movedTo === real)?.real;
  return {
    path: change.path,
    failure: failureOf(change),
    run: async () => {
      if (!before) await firstValueFrom(files.makeDirectory(posix.dirname(real), { recursive: true }));
      if (from !== undefined) await firstValueFrom(files.copy(from, real)); // has its mode from there
      if (after) await firstValueFrom(files.write(real, after.bytes));
    },
    undo: async () => {
      if (before) await putBack(files, real, before.bytes);
      else await firstValueFrom(files.remove(real, { recursive: false, force: true }));
    },
  };
};

const removed = (files: WholeFiles, change: FileChange): Step => ({
  path: change.path,
  failure: failureOf(change),
  run: () => firstValueFrom(files.remove(change.real, { recursive: false, force: false })),
  undo: () => putBack(files, change.real, change.before?.bytes ?? new Uint8Array()),
});

/** A file that still holds these bytes is left alone: it may be one that cannot be written. */
const putBack = async (files: WholeFiles, path: string, bytes: Uint8Array): Promise<void> => {
  if (!(await isAs(files, path, bytes))) await firstValueFrom(files.write(path, bytes));
};
