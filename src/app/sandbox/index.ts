/** The door of the sandbox of this machine. */
export { holdFolder } from './holdFolder';
export { trustDeps } from './isSealed';
export { isPlain } from './readPlain';
export { sandboxDeps, sandboxesHere } from './sandboxesHere';
export { sandboxFiles } from './sandboxFiles';
