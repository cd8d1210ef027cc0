/** What a machine is for, and what is examined then. */

/** The checks of a machine that runs the daemon, that serves as an executor, or that only reads tapes. */
export const CHECKS = {
  daemon: [
    'program',
    'home',
    'config',
    'threads',
    'login',
    'engine',
    'model',
    'environment',
    'sandbox',
    'mcp',
    'server',
  ],
  executor: ['program', 'home', 'config', 'sandbox'],
  watcher: ['program', 'home', 'config'],
} as const;

/** What a machine is for. */
export type Role = keyof typeof CHECKS;
/** The name of one examination. */
export type Check = (typeof CHECKS)[Role][number];

/** All roles, the usual one first. */
export const ROLES = Object.keys(CHECKS) as Role[];
