/** The door of what engines share: thread registry, turn queue, approvals, deadlines, how a turn ends. */
export {
  askUntilWithdrawn,
  type Decision,
  declinedEvents,
  isApproved,
  isApprovedForSession,
  rejectedOutput,
} from './approval';
export { askInTurn } from './askInTurn';
export type { PromptHistory } from './promptHistory';
export type { InputOffer, TurnPorts } from './queueTurns';
export { CannotBegin, noThreadText, rejection, rejectionText } from './rejection';
export { UNUSED_THREADS } from './releaseUnused';
export { reportFault } from './reportFault';
export { type Routed, routeTurns } from './routeTurns';
export type { Released, ThreadsDeps, UnusedThreads } from './runOpened';
export { runThreads } from './runThreads';
export { type SessionApprovals, sessionApprovals } from './sessionApprovals';
export type { ThreadEntry } from './threadRegistry';
export { closingMsgs, type TurnEnd, type TurnStop } from './turnEnd';
export { turnDeltas, turnEvent } from './turnEvent';
export { untilStopped } from './untilStopped';
