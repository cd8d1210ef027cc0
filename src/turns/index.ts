export {
  askUntilWithdrawn,
  type Decision,
  declinedEvents,
  isApproved,
  isApprovedForSession,
  type Question,
  rejectedOutput,
} from './approval';
export type { PromptHistory } from './promptHistory';
export { type InputOffer, type QueueInput, queueTurns, type TurnPorts, type TurnQueue } from './queueTurns';
export { CannotBegin, noThreadText, type Rejection, rejection } from './rejection';
export { type Routed, routeTurns, type TurnRouting } from './routeTurns';
export type { OpenThread, ThreadsDeps, ThreadTurn } from './runOpened';
export { runThreads } from './runThreads';
export { type SessionApprovals, sessionApprovals } from './sessionApprovals';
export type { ThreadEntry } from './threadRegistry';
export { closingMsgs, type TurnEnd, type TurnStop } from './turnEnd';
export { type TurnIds, turnDeltas, turnEvent } from './turnEvent';
export { untilStopped } from './untilStopped';
