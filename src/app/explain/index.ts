export { explainHere } from './explainHere';
export { toExplanationLines } from './toExplanationLines';
