/** The door of the host of the Codex methods: what they need of this machine. */
export { codexHost } from './codexHost';
