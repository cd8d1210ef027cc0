/** Opens where threads work: on this machine, or on an executor elsewhere. */
import type { OpenWorkspace } from '../../../agent/thread/workspace';
import type { Backend } from '../../../executor/backend';
import { lazy } from '../../../lazy/lazy';
import type { Wiring } from '../../wiring/wiring';
import { workspaceHere } from './workspaceHere';

/** Loaded by the first thread that works elsewhere. */
const elsewhereModule = lazy(
  () => require('../../elsewhere/workspaceElsewhere') as typeof import('../../elsewhere/workspaceElsewhere'),
);

/** @param backend runs processes on this machine */
export const openWorkspace = (wiring: Wiring, backend: Backend): OpenWorkspace => {
  const here = workspaceHere(wiring, backend);
  const elsewhere = lazy(() => elsewhereModule().workspaceElsewhere(wiring));
  return (config, last) => (config.environmentId === 'local' ? here(config) : elsewhere()(config, last));
};
