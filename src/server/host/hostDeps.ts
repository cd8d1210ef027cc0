/** What the commands of the Codex methods depend on. */

import type { BuiltInDeps } from '../../agent/tools/builtInTools';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { Config } from '../../settings/config';

/** `configure` throws ConfigError where settings are wrong, or exceed the ceiling of the operator. */
export type HostDeps = {
  configure: (settings: ThreadSettings) => Config;
  tools: Pick<
    BuiltInDeps,
    'backend' | 'openSandbox' | 'environmentOf' | 'trustedPath' | 'workspaceProgram' | 'namesPrograms'
  >;
};
