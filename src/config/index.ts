/** The door of the configuration: config.toml, profiles, flags and the arguments of a call become one frozen Config. */

export { codexOf } from './codexOf';
export type { Config } from './config';
export { ConfigError } from './configError';
export { configJsonSchema } from './configJsonSchema';
export type { CallLimits, ConfigDeps } from './deps';
export { effectiveSettings } from './effectiveSettings';
export { allowedEnvironment, checkEnvironment, environmentOfCall } from './environmentOfCall';
export { limitCall } from './limitCall';
export { limitStored } from './limitStored';
export { ceilingOfServer, loadConfig } from './loadConfig';
export { defaultCwdOf, depsAt, folderIn, lockedFolderOf } from './placeThread';
export { type Environment, type FleetEnvironment, readEnvironment } from './readEnvironment';
export { readNats } from './readNats';
export { readProfile } from './readProfile';
export { readSavedConfig } from './readSavedConfig';
export { readThreadStore } from './readThreadStore';
export { reuseConfig } from './reuseConfig';
export { riskyFlag } from './riskyFlag';
