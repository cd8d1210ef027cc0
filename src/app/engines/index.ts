export { engines } from './engines';
