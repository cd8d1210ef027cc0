/** Gives the servers of files in sandboxes patches with journals. */
import { join } from 'node:path';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { type Backpressure, noBackpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { hasJournals } from '../localPatch/settleFirst'; // this file alone, as the start needs nothing else of the room
import type { Permissions } from '../sandbox/permissions';
import type { ForwardFilesDeps } from '../server/forwardFiles';

/** A server of files in a sandbox with these permissions; undefined: in the sandbox of the ceiling. */
type OpenInside = (
  backpressure: Backpressure,
  permissions?: Permissions,
) => Pick<ForwardFilesDeps, 'request' | 'alive$'>;

type SandboxServersDeps = { processInfo: Pick<ProcessInfo, 'codexHome'>; log: Log };

/** The same servers; what a process that was killed has left half done is settled now, until `settled` resolves, and before each patch. */
export const withSandboxPatches = (
  { processInfo: { codexHome }, log }: SandboxServersDeps,
  open: OpenInside,
): { insideOf: OpenInside; settled: Promise<void> | undefined } => {
  const folder = join(codexHome, 'codex-rx', 'patches-inside'); // not the folder of other patches, which every process of this user may settle
  const patches = lazy(() =>
    patchesModule().sandboxPatchesHere({
      codexHome,
      folder,
      log,
      insideOf: (permissions) => open(noBackpressure, permissions).request,
    }),
  );
  const insideOf: OpenInside = (backpressure, permissions) => {
    const inside = open(backpressure, permissions);
    const { request } = inside;
    return {
      ...inside,
      request: (method, params) =>
        method === 'fs/applyChanges' ? patches().change({ permissions, request }, params) : request(method, params),
    };
  };
  return { insideOf, settled: hasJournals(folder) ? patches().recover() : undefined };
};

/** Loaded by the first patch in a sandbox, and if journals may be left. */
const patchesModule = lazy(() => require('./sandboxPatchesHere') as typeof import('./sandboxPatchesHere'));
