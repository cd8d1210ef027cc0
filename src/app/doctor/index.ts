/** The door of the checks of `codex-rx doctor`. */
export { examine } from './examine';
export type { Finding } from './finding';
export { ROLES } from './roles';
