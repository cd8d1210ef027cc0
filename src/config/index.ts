export { type Config, ConfigError, type ShellEnvironment } from './config';
export { type Environment, readEnvironment } from './environments';
export { type ConfigDeps, loadConfig } from './loadConfig';
export { readProfile, workingFolder } from './pieces';
export { splitOverride } from './splitOverride';
