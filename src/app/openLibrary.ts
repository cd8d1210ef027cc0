/** Wires the prompts, threads and folders that clients may see to this machine. What is found is recorded; a rerun finds what is on its tape. */
import type { CodexHost } from '../protocol/methods/host';
import { libraryHere } from '../server/host/libraryHere';
import type { Library } from '../server/mcp/library';
import { recordChance } from '../tapes/format/seams';
import type { Tape } from '../tapes/format/tape';
import type { SeamPorts } from '../tapes/seams/ports';

type LibraryWiring = { processInfo: { codexHome: string }; seams?: SeamPorts; disk?: unknown; tape?: Tape };

/** The library of a daemon; a session in memory leaves the disk alone. */
export const openLibrary = ({ processInfo, seams, disk, tape }: LibraryWiring, host: () => CodexHost): Library => {
  const chance = seams?.chance ?? recordChance(tape);
  const here = seams || disk ? NOTHING : libraryHere(processInfo.codexHome);
  return {
    hasPrompts: chance('hasPrompts', here.hasPrompts),
    hasThreads: chance('hasThreads', here.hasThreads),
    prompts: chance('prompts', here.prompts),
    folders: (path) => chance('folders', () => here.folders(path))(),
    host,
  };
};

const NOTHING: Omit<Library, 'host'> = {
  hasPrompts: () => false,
  hasThreads: () => false,
  prompts: () => [],
  folders: () => [],
};
