/** The door of safety: what a command is, whether it is trusted, and the table of verdicts. */
export { bashParser } from './bashParser';
export { decide, type Ruling } from './decide';
export type { Action, Decision } from './decisions';
export { foldersOf } from './foldersOf';
export { isLikelyDenied } from './isLikelyDenied';
export { namesPrograms } from './namesPrograms';
export { parseCommand } from './parseCommand';
export { type KnownWords, readTrust, type Trust } from './readTrust';
export { scriptOf } from './script';
export { showsSecrets } from './showsSecrets';
