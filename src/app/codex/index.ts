export { codexHost } from './codexHost';
