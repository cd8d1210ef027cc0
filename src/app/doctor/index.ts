export { examine } from './examine';
export type { Finding } from './finding';
export { ROLES } from './roles';
