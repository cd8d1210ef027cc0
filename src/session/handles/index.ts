/** The door of handles: ids that a server issues and the client sends back. */
export { bindHandles } from './bindHandles';
export { type Handles, toHandles } from './handles';
export { mapMessage } from './handleTexts';
export { isDescription } from './isDescription';
export { handlesIn, replaceHandles, toHandleNames } from './replaceHandles';
