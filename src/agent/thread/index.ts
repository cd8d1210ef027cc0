/** The door of what a thread and its turns consist of: the history, the steps, the workspace, the messages of the user and those before them. */
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
