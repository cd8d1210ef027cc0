/** Which of two stored credentials the configuration of this machine prefers. */
import type { PreferredMethod } from '../../auth';
import { loadConfig } from '../../config';
import { configDeps, type Wiring } from '../wiring';

/** What is wrong with the configuration is reported by the call that needs it. */
export const preferredLogin = (wiring: Pick<Wiring, 'processInfo' | 'options'>): PreferredMethod => {
  try {
    return loadConfig(configDeps(wiring))({}).preferredAuthMethod;
  } catch {
    return 'chatgpt';
  }
};
