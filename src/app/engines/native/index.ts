/** The door of the native engine: its models, its tools, the servers of its tools, the places where its threads work. */
export { type ServersHere, serversHere } from './configuredToolServers';
export { modelLogin } from './modelLogin';
export { nativeAvailability } from './nativeAvailability';
export { nativeEngine } from './nativeEngine';
export { toolDeps } from './nativeTools';
