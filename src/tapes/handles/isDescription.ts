/** Recognises results in which a server describes itself: they hold no handles, and nothing that is measured. */
import type { ServerLine, SessionIndex } from '../session/sessionIndex';

const METHODS = ['initialize', 'server/discover', 'tools/list', 'prompts/list', 'resources/templates/list'];

/** Whether a line of the server responds to a request for a description. */
export const isDescription = (
  { clientLines }: Pick<SessionIndex, 'clientLines'>,
  { link, owner }: ServerLine,
): boolean => {
  const [request] = (link === 'named' && clientLines[owner]?.messages) || [];
  return request?.kind === 'request' && METHODS.includes(request.method);
};
