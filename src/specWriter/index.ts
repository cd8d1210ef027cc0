export type { Selection } from './selectLines';
export { RUNNERS, type Runner, type Subject } from './toSpec';
export { writeSpec } from './writeSpec';
