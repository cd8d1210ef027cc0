/** Whether a thread of an installed Codex shows its raw reasoning, which Codex leaves to its client. */

import type { ThreadSettings } from '../../protocol/codex/settings';
import type { ConfigDeps } from '../../settings/deps';
import { ConfigError } from '../../settings/faults/configError';
import { loadConfig } from '../../settings/loadConfig';

/**
 * `show_raw_agent_reasoning` of a thread with these settings: of the call, the profile, the flags, or config.toml. False where this
 * configuration cannot be read here, since Codex may read it in another way.
 */
export const showsRawReasoning =
  (deps: ConfigDeps) =>
  (settings: ThreadSettings): boolean => {
    try {
      return loadConfig(deps)(settings).showRawReasoning;
    } catch (error) {
      if (error instanceof ConfigError) return false;
      throw error;
    }
  };
