export { NotStarted } from './notStarted';
export { isEnabled } from './offerTools';
export { openToolServer } from './openToolServer';
export { NO_TOOLS, type ToolServer, type ToolServerSpec, type ToolSet } from './toolServer';
export { toolServers } from './toolServers';
