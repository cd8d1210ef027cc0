/** The door of the configuration: config.toml, profiles, flags and the arguments of a call become one frozen Config. */

export { type CodexSettings, codexSettings } from './codexSettings';
export type { Config } from './config';
export { configJsonSchema } from './configJsonSchema';
export type { CallLimits, ConfigDeps } from './deps';
export { effectiveSettings } from './effectiveSettings';
export { ConfigError } from './faults/configError';
export { modeBelow, policyBelow } from './limits/ceiling';
export { limitCall } from './limits/limitCall';
export { limitStored } from './limits/limitStored';
export { riskyFlag } from './limits/riskyFlag';
export { ceilingOfServer, loadConfig } from './loadConfig';
export { codexOf } from './places/codexOf';
export { allowedEnvironment, checkEnvironment, environmentOfCall } from './places/environmentOfCall';
export { defaultCwdOf, depsAt, folderIn, lockedFolderOf } from './places/placeThread';
export { type Environment, type FleetEnvironment, readEnvironment } from './places/readEnvironment';
export { readNats } from './readNats';
export { readProfile } from './readProfile';
export { readSavedConfig } from './readSavedConfig';
export { readThreadStore } from './readThreadStore';
export { reuseConfig } from './reuseConfig';
