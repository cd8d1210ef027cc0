/** Recovers events that a slow or disconnected reader missed: they are read again if retained, otherwise a gap marks them. */
export { type Hole, isInHole } from './hole';
export { inOrder } from './inOrder';
export { isLagged, LAGGED, type Lagged } from './lagged';
export { markGaps } from './markGaps';
export { type RecoverDeps, recoverLag } from './recoverLag';
