/** The Codex methods, loaded by the first request of one, as start-up time counts. */
import { lazy } from '../../lazy';

export const codex = lazy(() => require('../codex') as typeof import('../codex'));
