/** The door of reruns. */
export { engineOf } from './engineOf';
export type { Daemon } from './runDaemon';
export { startRerun } from './startRerun';
