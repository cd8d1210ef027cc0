/** Reports an error that nothing expected. */
import type { Log } from '../../protocol/log';
import { systemRemedy } from '../../streams/text/reasons';

/**
 * Logs it, and gives its text for the caller. What this machine refuses, such as a file more than may be open, has its remedy; any
 * other error is a bug, which is logged with its stack.
 * @param what what failed, such as `a turn failed`
 */
export const reportFault = (
  log: Log,
  { what, callId }: { what: string; callId: string },
  { code, message, stack }: NodeJS.ErrnoException,
): string => {
  const remedy = systemRemedy(code);
  if (remedy === undefined) {
    log('error', `${what} because of a bug`, { callId, stack });
    return `internal error: ${message}`;
  }
  const text = message.includes(remedy) ? message : `${message}; ${remedy}`;
  log('error', what, { callId, reason: text });
  return text;
};
