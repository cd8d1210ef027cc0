/** Gives the servers of files in sandboxes patches with journals. */
import { join } from 'node:path';
import type { Permissions } from '../../../executor';
import type { ForwardFilesDeps } from '../../../executor/server';
import { lazy } from '../../../lazy';
import type { Log } from '../../../log';
import { isThere } from '../../../paths';
import { type Backpressure, noBackpressure } from '../../../streams';
import type { ProcessInfo } from '../../processInfo';

/** A server of files in a sandbox with these permissions; undefined: in the sandbox of the ceiling. */
export type OpenInside = (
  backpressure: Backpressure,
  permissions?: Permissions,
) => Pick<ForwardFilesDeps, 'request' | 'alive$'>;

export type SandboxServersDeps = { processInfo: Pick<ProcessInfo, 'codexHome'>; log: Log };

/** The same servers; what a process that was killed has left half done is rolled back now, and before each patch. */
export const withSandboxPatches = (
  { processInfo: { codexHome }, log }: SandboxServersDeps,
  open: OpenInside,
): OpenInside => {
  const patches = lazy(() =>
    patchesModule().sandboxPatchesHere({
      codexHome,
      log,
      insideOf: (permissions) => open(noBackpressure, permissions).request,
    }),
  );
  if (isThere(join(codexHome, 'codex-rx', 'patches-inside'))) void patches().recover();
  return (backpressure, permissions) => {
    const inside = open(backpressure, permissions);
    const { request } = inside;
    return {
      ...inside,
      request: (method, params) =>
        method === 'fs/applyChanges' ? patches().change({ permissions, request }, params) : request(method, params),
    };
  };
};

/** Loaded by the first patch in a sandbox, and where journals may be left. */
const patchesModule = lazy(() => require('./sandboxPatchesHere') as typeof import('./sandboxPatchesHere'));
