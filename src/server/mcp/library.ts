/** Port: what a client can read of a Codex home. */
import type { CodexHost } from '../../protocol/methods/host';

/** A prompt that the user keeps in the folder `prompts` of the Codex home. */
export type PromptFile = {
  /** The name of the file, without `.md`. */
  name: string;
  text: string;
};

/** Looks at the disk each time. A file or folder that cannot be read is left out; links are not followed. */
export type Library = {
  /** True if the home has a prompt. */
  hasPrompts: () => boolean;
  /** By name. */
  prompts: () => readonly PromptFile[];
  /** True if the home has a thread. */
  hasThreads: () => boolean;
  /** The folders that a path may go on with. */
  folders: (path: string) => readonly string[];
  /** Has the threads and the configuration; called when they are needed. */
  host: () => CodexHost;
};
