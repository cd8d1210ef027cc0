/** The settings of a stored thread that still apply. */
import { fromRows, type ThreadSettings } from '../protocol/codex/settings';
import { compose } from './compose';
import type { ConfigDeps } from './deps';
import { tried } from './faults/tried';
import { limitCall } from './limits/limitCall';
import { ceilingOfServer } from './loadConfig';
import { LOCAL } from './places/readEnvironment';

/**
 * The settings of a stored thread without settings that the operator does not allow, or no longer allows: the configuration applies in their
 * place. A folder outside of the locked folder stays, and is rejected like the folder of a call. The environment stays too, because the files of the thread
 * are there; a thread without one has them on this machine.
 */
export const limitStored =
  (deps: ConfigDeps) =>
  ({ config = {}, ...settings }: ThreadSettings): ThreadSettings => {
    const ceiling = ceilingOfServer(deps);
    const isAllowed = (settings: ThreadSettings): boolean =>
      tried(() => limitCall(deps, { settings, ceiling })).faults.length === 0;
    const kept = Object.entries(config).filter(([key, value]) => isAllowed({ config: { [key]: value } }));
    return {
      ...fromRows<ThreadSettings>(({ key }, name) => {
        const value = settings[name as keyof typeof settings];
        return value !== undefined && (!key || isAllowed({ [name]: value })) ? [name, value] : null;
      }),
      config: { ...hereUnless(deps), ...Object.fromEntries(kept) },
    };
  };

/** A thread of Codex, or one from before there were environments, names none. */
const hereUnless = (deps: ConfigDeps): { environment_id?: string } =>
  compose(deps, { cwdOf: () => deps.cwd, settings: {} }).place.environmentId === LOCAL ? {} : { environment_id: LOCAL };
