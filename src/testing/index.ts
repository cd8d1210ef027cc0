/** The entry `codex-rx/testing` of the package: marble specs for any MCP server. */

export type { TimedEvent } from '../streams/marbles/marbles';
export { MarbleError } from '../streams/marbles/marbles';
export { alignMarbles, assertMarbles, marbles } from './marbles';
export type { InstalledInJest } from './matchers';
export { type MarbleAssertions, type Matched, marbleMatchers } from './matchers';
export { answer, anything, idOf, type Message, notification, refusal, request, type Value } from './messages';
export { type Phase, ScoreError, type Values } from './phase';
export type { Server } from './server';
export { tape } from './server';
export { type Session, type SessionOptions, session } from './session';
export { ServerError, type StdioOptions, stdio } from './stdio';
