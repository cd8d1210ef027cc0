/** The door of the Chat Completions dialect. */
export { chatModel } from './chatModel';
