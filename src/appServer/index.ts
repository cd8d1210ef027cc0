export { type AppServerDeps, appServerAgent } from './appServerAgent';
export { type FindDeps, type Found, findCodex } from './findCodex';
export type { Link } from './openLink';
export { NotBegun } from './openThread';
export { sharedLink } from './sharedLink';
export { threadParams } from './threadParams';
