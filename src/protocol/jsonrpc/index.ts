/** The door of JSON-RPC 2.0: messages, error codes, the codec of lines. */
export { checkParams, faultsOf } from './checkParams';
export { decodeBareMessage, decodeMessage } from './decodeMessage';
export { encodeMessage } from './encodeMessage';
export { isTooDeep, MAX_LEVELS, mayBeTooDeep } from './isTooDeep';
export { isObject, type JsonObject, type JsonSchema } from './json';
export {
  type Batch,
  type Fault,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  idKey,
  METHOD_NOT_FOUND,
  type Message,
  type MessageBatch,
  type NoResponse,
  type Notification,
  type Outgoing,
  type Request,
  type RequestId,
  type Response,
  RpcError,
  type RpcErrorObject,
  readError,
  toErrorObject,
  toIdText,
} from './messages';
export { parseJson, parseObject } from './parseJson';
export { endOfString } from './rawMember';
export { readId } from './readId';
export { toJson } from './toJson';
export { withoutUndefined } from './withoutUndefined';
