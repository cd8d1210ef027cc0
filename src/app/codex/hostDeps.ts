/** What the commands of the Codex methods depend on. */
import type { Config } from '../../config';
import type { ThreadSettings } from '../../protocol/codex';
import type { BuiltInDeps } from '../../tools';

/** `configure` throws ConfigError where settings are wrong, or exceed the ceiling of the operator. */
export type HostDeps = {
  configure: (settings: ThreadSettings) => Config;
  tools: Pick<
    BuiltInDeps,
    'backend' | 'openSandbox' | 'environmentOf' | 'trustedPath' | 'workspaceProgram' | 'namesPrograms'
  >;
};
