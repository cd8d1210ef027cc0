/** Whether the native engine could work here. */

import type { Provider } from '../../protocol/model/provider';
import type { NativeAvailability } from '../chooseEngine';
import { credentials } from '../modelHttp/credentials';
import { configureOf, type Wiring } from '../wiring/wiring';
import { modelLogin } from './modelLogin';

/** Why no other engine can use a provider. */
const REASONS: Partial<Record<Provider['wireApi'], string>> = {
  scripted: 'is scripted',
  client: 'is the model of the client',
};

/** Looks at the configuration, and for the key of its model provider. Never throws. */
export const nativeAvailability = (wiring: Wiring, configure = configureOf(wiring)): NativeAvailability => {
  const { env } = wiring.processInfo;
  const { readAuth } = modelLogin(wiring);
  try {
    const { provider, environmentId } = configure({});
    credentials({ env, readAuth })(provider);
    const isElsewhere = environmentId !== 'local'; // programs that are installed here do not matter there
    const only = isElsewhere || provider.wireApi === 'scripted' || provider.wireApi === 'client';
    const needsLogin = provider.requiresOpenaiAuth;
    return {
      usable: true,
      only,
      needsLogin,
      reason: isElsewhere
        ? `threads work in the environment ${environmentId}`
        : `the model provider ${provider.id} ${REASONS[provider.wireApi] ?? 'can be used'}`,
    };
  } catch (error) {
    return { usable: false, only: false, needsLogin: true, reason: (error as Error).message };
  }
};
