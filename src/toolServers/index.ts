export { NotStarted } from './notStarted';
export { openToolServer, type ToolServerDeps } from './openToolServer';
export {
  type CallEvent,
  NO_TOOLS,
  type OfferedTool,
  type ToolServer,
  type ToolServerSpec,
  type ToolSet,
} from './toolServer';
export { type ServerSettings, type ToolServersDeps, toolServers } from './toolServers';
