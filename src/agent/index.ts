export { type NativeDeps, nativeAgent } from './nativeAgent';
