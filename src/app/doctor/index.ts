export { examine } from './examine';
export type { Finding } from './finding';
