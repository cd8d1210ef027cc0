/** The door of the MCP server: methods, revisions, faces of old releases, questions, progress. */
export { FACES, type FaceName, faceOf } from './faces/faceOf';

export { mcpServer } from './mcpServer';
export { THREAD_ID_IN_TEXT, type ThreadIdInText } from './toCallResult';
export { EVENTS, type Events } from './toMessages';
