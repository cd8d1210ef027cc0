/** The door of requests to models over HTTP: keys, attempts, errors, limits, and what both dialects read in the same way. */
export { askHttp, type HttpDeps } from './askHttp';
export { credentials, type StoredAuth } from './credentials';
export { idleFailure, incompleteFailure, reportedFailure, streamFailure } from './failures';
export { limitItems } from './limitItems';
export { listModels, type ModelList } from './listModels';
export { type SentArguments, sentArguments } from './sentArguments';
export { toChatUsage, toResponsesUsage } from './usage';
