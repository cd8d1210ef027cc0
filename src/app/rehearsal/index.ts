export { rehearse } from './rehearse';
