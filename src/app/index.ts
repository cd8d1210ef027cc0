/** The door of the wiring; the log has one of its own, as commands need it without the server. */
export { type ServeDeps, type ServeOptions, serve } from './serve';
export { ENGINES, type EngineName, IS_TOOL } from './surroundings';
