export { FACES, type FaceName, faceOf } from './faces/faceOf';
export type { McpDeps } from './mcpDeps';
export { mcpServer } from './mcpServer';
