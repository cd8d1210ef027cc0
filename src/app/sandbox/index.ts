export { type SandboxesHereDeps, sandboxesHere } from './sandboxesHere';
