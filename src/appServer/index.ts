export { appServerAgent } from './appServerAgent';
export { type Found, findCodex } from './findCodex';
export type { Link } from './link';
export { sharedLink } from './sharedLink';
export { profileOfCall, threadParams } from './threadParams';
