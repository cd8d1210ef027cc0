export { credentials, listModels, type ModelList, type StoredAuth } from './http';
export { models } from './models';
