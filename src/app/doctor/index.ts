export { examine, ROLES, type Role } from './examine';
export type { Finding } from './finding';
