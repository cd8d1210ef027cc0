/** The door of MCP servers whose tools a model may call, as rows of the table of tools. */
export { NotStarted } from './notStarted';
export { isEnabled, isWritable } from './offerTools';
export { openToolServer } from './openToolServer';
export { NO_TOOLS, type ToolServer, type ToolServerSpec, type ToolSet } from './toolServer';
export { toolServers } from './toolServers';
