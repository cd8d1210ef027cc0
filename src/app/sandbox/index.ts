export { sandboxDeps, sandboxesHere } from './sandboxesHere';
export { sandboxFiles } from './sandboxFiles';
