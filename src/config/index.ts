export { type Config, ConfigError, type Provider, type ShellEnvironment, WIRE_APIS, type WireApi } from './config';
