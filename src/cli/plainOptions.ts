/** The options of the server for a command that serves no client. */
import type { showConfig } from '../app/configHere';

const LIMIT_MS = 60_000;

export const plainOptions: Parameters<typeof showConfig>[0]['options'] = {
  engine: 'native',
  tape: { speed: 'max', match: 'strict' },
  modelTimeoutMs: LIMIT_MS,
  turnTimeoutMs: LIMIT_MS,
  overrides: [],
};
