export { type Config, ConfigError, type ShellEnvironment } from './config';
export { type ConfigDeps, loadConfig } from './loadConfig';
export { splitOverride } from './splitOverride';
