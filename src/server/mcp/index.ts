export type { McpDeps } from './deps';
export { FACES, type FaceName, faceOf } from './faces';
export { mcpServer } from './mcpServer';
