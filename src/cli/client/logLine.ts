/** The lines of a server's log as a person at a terminal reads them. */
import { parseObject, textOf } from '../../protocol/jsonrpc/json';
import { toVisible } from '../../streams/text/visible';

/** The result, or a progress, has the same reason. */
const REPEATED = /^\S+ (?:error a turn failed|warning (?:a call was rejected|the connection to the model was lost)) /;

/** The time and the ids of a warning help nobody who sees its turn. */
const WARNING = /^\S+ warning a turn goes on with a warning .*?\breason=(".*")$/;

/** What is shown of a line; undefined if it is shown otherwise. */
export const toShownLine = (line: string): string | undefined => {
  if (REPEATED.test(line)) return undefined;
  const reason = textOf(parseObject(`{"reason":${WARNING.exec(line)?.[1]}}`)?.reason);
  return reason === '' ? line : `warning: ${toVisible(reason)}`;
};
