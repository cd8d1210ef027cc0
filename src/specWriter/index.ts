/** The door of writing a marble spec from a tape. */
export type { Selection } from './selectLines';
export { RUNNERS, type Runner, type SpecOptions, type Subject } from './toSpec';
export { writeLearnedSpec } from './writeLearnedSpec';
export { type WrittenSpec, writeSpec } from './writeSpec';
