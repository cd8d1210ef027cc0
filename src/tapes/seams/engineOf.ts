/** The engine that a recorded daemon chose. */
import { isObject, parseJson } from '../../protocol/jsonrpc/json';
import type { Session } from '../format/tape';
import { ENGINE_SEAM } from './recordPorts';

/** Its name; undefined where none was chosen, or the choice was not recorded. */
export const engineOf = (entries: Session['entries']): string | undefined => {
  const chosen = entries.find(({ entry }) => entry.seam === ENGINE_SEAM && entry.dir === 'out');
  const choice = chosen && parseJson(chosen.entry.line);
  return isObject(choice) && typeof choice.engine === 'string' ? choice.engine : undefined;
};
