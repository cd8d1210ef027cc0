export { type ServerEvent, serverProcess } from './serverProcess';
export { withProcessId } from './withProcessId';
