/** The User-Agent header of requests to a model. */
import { lazy } from '../../../streams/lazy/lazy';

const os = lazy(() => require('node:os') as typeof import('node:os'));

/**
 * Names this program and the machine it runs on, for a User-Agent header.
 *   codex-rx/0.1.0 (Linux 6.1.0; x64)
 */
export const toUserAgent = (version: string): string => {
  return `codex-rx/${version} (${os().type()} ${os().release()}; ${os().arch()})`.replace(/[^ -~]/g, '_');
};
