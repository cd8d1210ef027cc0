/** What the commands of the Codex methods depend on. */
import type { Config } from '../../config/config';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { BuiltInDeps } from '../../tools/builtInTools';

/** `configure` throws ConfigError where settings are wrong, or exceed the ceiling of the operator. */
export type HostDeps = {
  configure: (settings: ThreadSettings) => Config;
  tools: Pick<
    BuiltInDeps,
    'backend' | 'openSandbox' | 'environmentOf' | 'trustedPath' | 'workspaceProgram' | 'namesPrograms'
  >;
};
