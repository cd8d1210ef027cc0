/** Finds the rollout that an id, or the beginning of one, means. */
import { toUuid } from '../../protocol/codex';
import { pickThread } from './pickThread';
import { archivedFiles, type RolloutFile, type RolloutPlace, sessionFiles } from './rolloutFiles';

/** The one thread that `pickThread` picks; no folder is read after that of a thread with that id. Throws ThreadError. */
export const findRollout = (place: RolloutPlace, ref: string): RolloutFile => {
  const id = toUuid(ref).toLowerCase();
  const passed: RolloutFile[] = [];
  for (const file of sessionFiles(place)) {
    if (file.id === id) return file;
    passed.push(file);
  }
  return pickThread(ref, [...passed, ...archivedFiles(place)]);
};
