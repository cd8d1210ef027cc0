export { FACES, type FaceName, faceOf } from './faces';
export { type McpDeps, mcpServer } from './mcpServer';
