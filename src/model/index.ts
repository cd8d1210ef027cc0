export { credentials, type StoredAuth } from './credentials';
export { models } from './models';
