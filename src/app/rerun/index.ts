/** The door of reruns. */
export type { Daemon } from './runDaemon';
export { startRerun } from './startRerun';
