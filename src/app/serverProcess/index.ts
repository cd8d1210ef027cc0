export { type ServerEvent, serverProcess } from './serverProcess';
