/** The door of the wiring; the log has one of its own, as commands need it without the server. */

export { ENGINES, type EngineName, NESTED_VARIABLE, type ProcessInfo } from './processInfo';
export { type ServeDeps, type ServeOptions, serve } from './serve';
