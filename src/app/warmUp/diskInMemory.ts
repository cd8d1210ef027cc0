/** A disk that has one folder, in which there is nothing. */
import type { Disk } from '../wiring';

/** Nothing of this machine is looked at. */
export const diskInMemory = (folder: string): Disk => ({
  readIfThere: () => undefined,
  namesIn: () => [],
  bytesOf: () => undefined,
  isDirectory: (path) => path === folder,
  exists: (path) => path === folder,
  realpath: (path) => path,
  promptHistory: () => () => ({ history_log_id: 0, history_entry_count: 0 }),
});
