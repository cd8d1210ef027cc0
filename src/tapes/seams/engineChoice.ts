/** The names of the engines, and the choice between them. */

/** Which engine runs the conversations; `auto` chooses by what is installed. */
export const ENGINES = ['auto', 'native', 'app-server', 'tape'] as const;

/** The name of an engine. */
export type EngineName = (typeof ENGINES)[number];

/**
 * The engine that is chosen; `reason` is a text for a log or a person. `remedy`: what to do so that the installed Codex is taken, if it was passed
 * over.
 */
export type Choice = { engine: Exclude<EngineName, 'auto'>; reason: string; remedy?: string };
