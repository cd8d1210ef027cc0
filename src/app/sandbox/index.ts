export { type SandboxesHereDeps, sandboxesHere } from './sandboxesHere';
export { sandboxFiles } from './sandboxFiles';
