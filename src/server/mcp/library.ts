/** Port: what a client can read of a Codex home. */
import type { Observable } from 'rxjs';
import type { CodexHost } from '../../protocol/methods/host';

/** A prompt that the user keeps in the folder `prompts` of the Codex home. */
export type PromptFile = {
  /** The name of the file, without `.md`. */
  name: string;
  text: string;
};

/** What has become of the threads since the last look at them. */
export type ThreadChange = {
  /** The ids of threads that are new, or were written to. */
  changed: readonly string[];
  /** True if a thread came or went. */
  isListChanged: boolean;
};

/** The most threads that are listed, and looked at for changes: the newest. */
export const MAX_LISTED_THREADS = 100;

/** Looks at the disk each time. A file or folder that cannot be read is left out; links are not followed. */
export type Library = {
  /** True if the home has a prompt. */
  hasPrompts: () => boolean;
  /** By name. */
  prompts: () => readonly PromptFile[];
  /** True if the home has a thread. */
  hasThreads: () => boolean;
  /** True if the home has this thread. */
  hasThread: (id: string) => boolean;
  /** Emits what becomes of the listed threads, whichever program writes them. Never completes, never errors. */
  threadChange$: Observable<ThreadChange>;
  /** The folders that a path may go on with. */
  folders: (path: string) => readonly string[];
  /** Has the threads and the configuration; called when they are needed. */
  host: () => CodexHost;
};
