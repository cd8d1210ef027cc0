/** The door of shrinking a tape to the few requests at which a server differs. */
export { optionalLines, pickLines, unsolicitedLabels } from './pickLines';
export { afterTrial, candidateOf, type Reduction, startReduction } from './reduction';
