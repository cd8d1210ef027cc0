/** The workspace of threads that work on an executor elsewhere. */
import { map } from 'rxjs';
import { toTurnDiff } from '../../executor/patch/toTurnDiff';
import { remoteFiles } from '../../executor/remote/remoteFiles';
import { blobId } from '../native/nativeTools';
import type { OpenWorkspace, Workspace } from '../thread/workspace';
import { builtInTools } from '../tools/builtInTools';
import { readIfPossible } from '../wiring/disk';
import type { Wiring } from '../wiring/wiring';
import { instructionsElsewhere } from './instructionsElsewhere';
import { placeElsewhere } from './placeElsewhere';
import { type Place, toolsElsewhere } from './toolsElsewhere';

/** Connects to an executor when the first thread needs it. Every command, patch and file of a thread is of that machine. */
export const workspaceElsewhere = (wiring: Wiring): OpenWorkspace => {
  const place = placeElsewhere(wiring);
  const toWorkspace = workspaceOf(wiring);
  return (config, last) => place(config, last).pipe(map(toWorkspace));
};

const workspaceOf = (wiring: Wiring) => {
  const { options, log, processInfo } = wiring;
  const toDeps = toolsElsewhere(wiring);
  return (place: Place): Workspace => {
    const { executor, member, config, sight } = place;
    const { cwd, environmentId: id, projectDocMaxBytes: maxBytes } = config;
    const deps = toDeps(place);
    const root = sight.repository ?? (options.bareDiffPaths === 'absolute' ? undefined : cwd);
    const documents = { files: remoteFiles(executor), readOwn: readIfPossible, codexHome: processInfo.codexHome, log };
    return {
      config,
      builtIn: builtInTools(deps)(config),
      writableRoots: () => deps.openSandbox(config).writable,
      userInstructions: () => instructionsElsewhere(documents, { ...sight, maxBytes }),
      turnDiff: toTurnDiff({ blobId, root }),
      readImage: deps.readImage,
      environment: { id, ...(member !== undefined && { executor: member }) },
      facts: sight.facts,
    };
  };
};
