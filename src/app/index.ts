/** The door of the wiring; the log has one of its own, as commands need it without the server. */

export { ENGINES, NESTED_VARIABLE, type ProcessInfo } from './processInfo';
export { type ServeOptions, serve } from './serve';
