/** The door of what threads and turns consist of: the history, the steps, the workspace, the user's messages and those before them. */
export { isContext, openingItems, renewedEnvironment, toMessage, toRequest } from './context';
export { addStep, closeAnswer, type History, isCall, noHistory, toOutput } from './history';
export { lastPrompt } from './lastPrompt';
export {
  type BegunTurn,
  endOf,
  eventOf,
  isEvent,
  outputOf,
  type Sample,
  type Thread,
  type Turn,
  type TurnStep,
} from './steps';
export { toUserMessage } from './toUserMessage';
export { userInstructions } from './userInstructions';
export { isSameMachine, type OpenWorkspace, type Workspace } from './workspace';
