export { optionalLines, pickLines, unsolicitedLabels } from './pickLines';
export { afterTrial, candidateOf, type Reduction, startReduction } from './reduction';
