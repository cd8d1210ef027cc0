/** Which login the configuration prefers, where there are two. */
import type { PreferredMethod } from '../../auth';
import { ConfigError, loadConfig } from '../../config';
import { configDeps, type Wiring } from '../engines/wiring';

const LIMIT_MS = 60_000;

const OPTIONS: Wiring['options'] = {
  ...{ engine: 'auto', tape: { speed: 'max', match: 'strict' } },
  ...{ modelTimeoutMs: LIMIT_MS, turnTimeoutMs: LIMIT_MS, overrides: [] },
};

/** The preferred method of `config.toml`; that of Codex where the configuration cannot be used. */
export const preferredMethod = (processInfo: Wiring['processInfo']): PreferredMethod => {
  try {
    return loadConfig(configDeps({ processInfo, options: OPTIONS }))({}).preferredAuthMethod;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return 'chatgpt';
  }
};
