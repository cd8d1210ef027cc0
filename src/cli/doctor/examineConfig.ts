/** Whether the configuration can be read, and what in it has no effect. */

import { configDeps, configureOf, type Wiring } from '../../agent/wiring/wiring';
import { toVisible } from '../../io/log/toVisible';
import { effectiveSettings } from '../../settings/effectiveSettings';
import type { Result } from './finding';

/** The settings that matter most, and each warning. Throws ConfigError. */
export const examineConfig = (wiring: Wiring): Result => {
  const { model, provider, approvalPolicy, sandboxMode } = configureOf(wiring)({});
  const text = `model ${model} of the provider ${provider.id}, approval ${approvalPolicy}, sandbox ${sandboxMode}`;
  const { warnings } = effectiveSettings(configDeps(wiring));
  return warnings.length === 0 ? { text } : { state: 'warning', text, remedy: warnings.map(toVisible).join('\n') };
};
