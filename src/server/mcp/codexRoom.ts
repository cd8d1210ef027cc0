/** The room of the Codex methods, loaded by the first request of one of them, as start-up time counts. */
import { lazy } from '../../streams/lazy';

/** The exports of `server/codex`. */
export const codexRoom = lazy(() => require('../codex') as typeof import('../codex'));
