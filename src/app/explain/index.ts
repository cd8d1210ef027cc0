/** The door of `codex-rx explain`: what each policy would do with a command. */
export { explainHere } from './explainHere';
export { toExplanationLines } from './toExplanationLines';
