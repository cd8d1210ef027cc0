export { type Approvals, addApproval, hasApproval, noApprovals, type Placed } from './approvals';
export { type Assessment, assess, NO_SANDBOX, type Situation } from './assess';
export { type BashDeps, bashParser } from './bashParser';
export { isTrusted } from './isTrusted';
export { parseCommand } from './parseCommand';
export type { ReadScript, Sequence, Word } from './script';
