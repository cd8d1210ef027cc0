/** Whether the native engine could work here. */
import { credentials } from '../../model';
import type { NativeAvailability } from './chooseEngine';
import { modelLogin } from './modelLogin';
import { configureOf, type Wiring } from './wiring';

/** Looks at the configuration, and for the key of its model provider. Never throws. */
export const nativeAvailability = (wiring: Wiring): NativeAvailability => {
  const { env } = wiring.processInfo;
  const { readAuth } = modelLogin(wiring);
  try {
    const { provider } = configureOf(wiring)({});
    credentials({ env, readAuth })(provider);
    const only = provider.wireApi === 'scripted';
    const needsLogin = provider.requiresOpenaiAuth;
    return {
      usable: true,
      only,
      needsLogin,
      reason: `the model provider ${provider.id} ${only ? 'is scripted' : 'can be used'}`,
    };
  } catch (error) {
    return { usable: false, only: false, needsLogin: true, reason: (error as Error).message };
  }
};
