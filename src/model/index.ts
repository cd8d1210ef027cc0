/** The door of models: the providers by their dialect, and the list of models that a provider offers. */
export { credentials, listModels, type ModelList, type StoredAuth } from './http';
export { models } from './models';
