export type { Choice } from './choose';
export { RUNNERS, type Runner, type Subject } from './toSpec';
export { writeSpec } from './writeSpec';
