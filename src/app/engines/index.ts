/** The door of the engines by name, and the choice between them. */
export { engines } from './engines';
