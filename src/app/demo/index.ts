export { startDemo } from './startDemo';
