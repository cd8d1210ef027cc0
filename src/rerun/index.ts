/** The door of reruns: a recorded daemon runs again from what its seams gave it. */
export { answerCalls, type CallAnswers, type Recorded } from './answerCalls';
export { brokenLine } from './brokenLine';
export { inputsOf } from './inputsOf';
export { type RecordedCall, type RerunPlan, toRerunPlan } from './rerunPlan';
export type { RunEvent } from './runSteps';
