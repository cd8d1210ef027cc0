export { type Config, ConfigError, type Provider, type ShellEnvironment, WIRE_APIS, type WireApi } from './config';
export { type ConfigDeps, loadConfig } from './loadConfig';
export { splitOverride } from './splitOverride';
