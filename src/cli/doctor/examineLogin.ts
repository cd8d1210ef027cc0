/** Who is logged in, and whether the configured model provider needs that. */

import { preferredLogin } from '../../agent/wiring/preferredLogin';
import { configureOf, type Wiring } from '../../agent/wiring/wiring';
import { loginHere } from '../../settings/logins/loginHere';
import type { Result } from './finding';

/** The login that counts, without its secrets. */
export const examineLogin = (wiring: Wiring): Result => {
  const { processInfo } = wiring;
  const { login: found, source } = loginHere({ processInfo, preferred: () => preferredLogin(wiring) });
  if (found.kind === 'apikey') return { text: `an API key, from ${source}` };
  if (found.kind === 'chatgpt')
    return { text: `a ChatGPT account${found.tokens.claims.email ? `, ${found.tokens.claims.email}` : ''}` };
  return needsLogin(wiring)
    ? { state: 'warning', text: 'none', remedy: 'codex-rx login; a model provider of your own may need none' }
    : { text: 'none; the configured model provider needs none' };
};

/** A configuration that cannot be read is a finding of its own. */
const needsLogin = (wiring: Wiring): boolean => {
  try {
    return configureOf(wiring)({}).provider.requiresOpenaiAuth;
  } catch {
    return true;
  }
};
