export { type SandboxesHereDeps, sandboxDeps, sandboxesHere } from './sandboxesHere';
export { sandboxFiles } from './sandboxFiles';
