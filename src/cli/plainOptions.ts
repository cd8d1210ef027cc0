/** The options of the server, of a command that serves nobody. */
import type { EngineOptions } from '../app/processInfo';

const LIMIT_MS = 60_000;

export const plainOptions: EngineOptions = {
  engine: 'native',
  tape: { speed: 'max', match: 'strict' },
  modelTimeoutMs: LIMIT_MS,
  turnTimeoutMs: LIMIT_MS,
  overrides: [],
};
