export type { HttpDeps } from './askHttp';
export { type CredentialDeps, credentials, type StoredAuth } from './credentials';
export { type HttpAnswer, type HttpPost, type HttpRequest, httpPost, type Pressure } from './httpPost';
export { type ModelDeps, models } from './models';
