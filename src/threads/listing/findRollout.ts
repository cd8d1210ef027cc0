/** Finds the rollout that an id, or the beginning of one, stands for. */
import { toUuid } from '../../protocol/codex/toUuid';
import { pickThread } from './pickThread';
import { archivedFiles, type RolloutFile, type RolloutPlace, sessionFiles } from './rolloutFiles';

/** The one thread that `pickThread` picks; no further folder is read once a thread with exactly that id is found. Throws ThreadError. */
export const findRollout = (place: RolloutPlace, ref: string): RolloutFile => {
  const id = toUuid(ref).toLowerCase();
  const passed: RolloutFile[] = [];
  for (const file of sessionFiles(place)) {
    if (file.id === id) return file;
    passed.push(file);
  }
  return pickThread(ref, [...passed, ...archivedFiles(place)]);
};
