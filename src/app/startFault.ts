/** Whether the configuration can be used, for servers that refuse to start without one. */
import { configDeps, type Wiring } from '../agent/wiring/wiring';
import { ConfigError } from '../settings/faults/configError';
import { loadConfig } from '../settings/loadConfig';

/** Why `config.toml` or the options of the command line cannot be used; undefined if they can. */
export const startFault = (wiring: Pick<Wiring, 'processInfo' | 'options'>): string | undefined => {
  try {
    loadConfig(configDeps(wiring))({});
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
};
