export { credentials, type StoredAuth } from './credentials';
export { listModels, type ModelList } from './listModels';
export { models } from './models';
