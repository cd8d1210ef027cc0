export { lazy } from './lazy';
