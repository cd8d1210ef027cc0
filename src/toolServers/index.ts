export { NotStarted } from './notStarted';
export { openToolServer, type ToolServerDeps } from './openToolServer';
export {
  NO_TOOLS,
  type OfferedTool,
  type ToolNews,
  type ToolServer,
  type ToolServerSpec,
  type ToolSet,
} from './toolServer';
export { type ToolServersDeps, toolServers } from './toolServers';
