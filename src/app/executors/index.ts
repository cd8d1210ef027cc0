/** The door of the executors that are configured; they are loaded by the first that is needed. */
export type { Reached } from './executorsPort';
export { unusableEnvironment } from './unusableEnvironment';
export { withExecutors } from './withExecutors';
