/** The door of the engine in front of an installed Codex, `codex app-server`. */
export { appServerAgent } from './appServerAgent';
export { type Found, findCodex } from './connection/findCodex';
export type { Link } from './connection/link';
export { sharedLink } from './connection/sharedLink';
export type { ServerPlace, Thread } from './threads/openThread';
export { profileOfCall, threadParams } from './threads/threadParams';
