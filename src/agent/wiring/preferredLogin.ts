/** Which of two stored credentials the configuration of this machine prefers. */
import type { PreferredMethod } from '../../settings/auth/accounts';
import { loadConfig } from '../../settings/loadConfig';
import { configDeps, type Wiring } from './wiring';

/** `chatgpt` where the configuration cannot be used: the call that needs it reports what is wrong. */
export const preferredLogin = (wiring: Pick<Wiring, 'processInfo' | 'options'>): PreferredMethod => {
  try {
    return loadConfig(configDeps(wiring))({}).preferredAuthMethod;
  } catch {
    return 'chatgpt';
  }
};
