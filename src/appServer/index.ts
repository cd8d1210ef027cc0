export { appServerAgent } from './appServerAgent';
export { type Found, findCodex } from './findCodex';
export type { Link } from './link';
export type { ServerPlace, Thread } from './openThread';
export { sharedLink } from './sharedLink';
export { profileOfCall, threadParams } from './threadParams';
