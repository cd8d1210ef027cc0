export { lazy } from './lazy';
export { oncePerTask } from './oncePerTask';
