/** Wires the prompts, threads and folders that clients may see to this machine. What is found is recorded; a rerun finds what is on its tape. */
import { defer, share } from 'rxjs';
import type { Wiring } from '../agent/wiring/wiring';
import type { CodexHost } from '../protocol/methods/host';
import { libraryHere } from '../server/host/libraryHere';
import type { Library } from '../server/mcp/library';
import { lazy } from '../streams/lazy';
import { recordChance } from '../tapes/format/seams';

/** Loaded by the first subscription, as start-up time counts. */
const threadsModule = lazy(() => require('./openThreads') as typeof import('./openThreads'));

/** The library of a daemon; a session in memory leaves the disk alone. @param tapeFolder of the tapes that clients may read */
export const openLibrary = (wiring: Wiring, host: () => CodexHost, tapeFolder?: string): Library => {
  const { processInfo, seams, disk, tape } = wiring;
  const chance = seams?.chance ?? recordChance(tape);
  const here = seams || disk ? NOTHING : libraryHere(processInfo.codexHome, tapeFolder);
  return {
    hasPrompts: chance('hasPrompts', here.hasPrompts),
    hasTapes: chance('hasTapes', here.hasTapes),
    hasThreads: chance('hasThreads', here.hasThreads),
    prompts: chance('prompts', here.prompts),
    folders: (path) => chance('folders', () => here.folders(path))(),
    hasThread: (id) => chance('hasThread', () => here.hasThread(id))(),
    threadChange$: defer(() => threadsModule().threadChanges(wiring, tapeFolder)).pipe(share()), // one look for all subscriptions
    host,
  };
};

const NOTHING: ReturnType<typeof libraryHere> = {
  hasPrompts: () => false,
  hasTapes: () => false,
  hasThreads: () => false,
  prompts: () => [],
  hasThread: () => false,
  folders: () => [],
};
