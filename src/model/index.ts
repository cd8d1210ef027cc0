export type { HttpDeps } from './askHttp';
export { type CredentialDeps, credentials, type StoredAuth } from './credentials';
export { type ModelDeps, models } from './models';
