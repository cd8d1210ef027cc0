export { type Assessment, assess, NO_SANDBOX, type Situation } from './assess';
export { type BashDeps, bashParser } from './bashParser';
export { decide, OUTSIDE, type Proposal, type Ruling, type SandboxState } from './decide';
export { type Action, AFTER_DENIAL, DECISIONS, type Decision, WITHOUT_SANDBOX } from './decisions';
export { isTrusted } from './isTrusted';
export { parseCommand } from './parseCommand';
export type { ReadScript, Sequence, Word } from './script';
export { type Ended, wasDenied } from './wasDenied';
