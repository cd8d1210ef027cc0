/** The door of lazy evaluation: at first use, or once in a task of the event loop. */
export { lazy } from './lazy';
export { oncePerTask } from './oncePerTask';
