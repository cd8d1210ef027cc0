/** Opens where threads work: on this machine, or on an executor elsewhere. */

import { workspaceHere } from '../../agent/native/workspaceHere';
import type { OpenWorkspace } from '../../agent/thread/workspace';
import type { Wiring } from '../../agent/wiring/wiring';
import type { Backend } from '../../executor/backend';
import { lazy } from '../../streams/lazy/lazy';

/** Loaded by the first thread that works elsewhere. */
const elsewhereModule = lazy(
  () =>
    require('../../agent/elsewhere/workspaceElsewhere') as typeof import('../../agent/elsewhere/workspaceElsewhere'),
);

/** @param backend runs processes on this machine */
export const openWorkspace = (wiring: Wiring, backend: Backend): OpenWorkspace => {
  const here = workspaceHere(wiring, backend);
  const elsewhere = lazy(() => elsewhereModule().workspaceElsewhere(wiring));
  return (config, last) => (config.environmentId === 'local' ? here(config) : elsewhere()(config, last));
};
