export { NotStarted } from './notStarted';
export { openToolServer } from './openToolServer';
export { NO_TOOLS, type ToolServerSpec, type ToolSet } from './toolServer';
export { toolServers } from './toolServers';
