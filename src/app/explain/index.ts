export { type Explanation, explainHere } from './explainHere';
export { toExplanationLines } from './toExplanationLines';
