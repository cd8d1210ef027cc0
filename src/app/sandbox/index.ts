export { sandboxesHere } from './sandboxesHere';
export { sandboxFiles } from './sandboxFiles';
