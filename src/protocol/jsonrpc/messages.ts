/** The messages of JSON-RPC 2.0: their kinds, ids and error codes. */
import { isObject, type JsonObject } from './json';

/** A request's id; a bigint stands for an integer that a double cannot hold. 0 and '' are ids. */
export type RequestId = string | number | bigint;

/** True for an id in a message that names another message; only the ids of messages themselves are read as integers of any size. */
export const isRequestId = (value: unknown): value is RequestId =>
  typeof value === 'string' || typeof value === 'number';

/** Marks the members of a batch that get a response. Their responses leave together, as one array. */
export type Batch = {
  /** How many responses the array has. */
  size: number;
};

/** A request; `batch` is set if it came in a batch. */
export type Request = { kind: 'request'; id: RequestId; method: string; params: JsonObject; batch?: Batch };
/** A notification, which has no response. */
export type Notification = { kind: 'notification'; method: string; params: JsonObject };

/** A response; `json` is a result that is already JSON text. */
export type Response = {
  kind: 'response';
  /** The id of the request; null if it could not be read. */
  id: RequestId | null;
  /** Set in a batch. */
  batch?: Batch;
  /** Why a received response cannot be read; its error says so too. */
  unread?: string;
} & ({ result: unknown } | { json: string } | { error: RpcErrorObject });

/** A line that is not a message, and the error to answer with. */
export type Fault = {
  kind: 'fault';
  id: RequestId | null;
  code: number;
  message: string;
  batch?: Batch;
  /** The line itself, if its reader needs it. */
  line?: string;
};

/** Several messages in one line. */
export type MessageBatch = { kind: 'batch'; messages: (Request | Notification | Response | Fault)[] };

/** A request that ends without a response, because its client cancelled it. */
export type NoResponse = { kind: 'noResponse'; batch?: Batch };

/** What one line may hold. */
export type Message = Request | Notification | Response | Fault | MessageBatch;

/** Notifications that leave together and differ only in one part of their params. */
export type EncodedNotifications = {
  kind: 'notifications';
  method: string;
  /** The text of the params before the part that differs. */
  head: string;
  /** The part that differs: one for each notification. */
  values: readonly string[];
  /** The text of the params after it. */
  tail: string;
};

/** What may be sent: batches consist of responses only. */
export type Outgoing =
  | Request
  | Notification
  | EncodedNotifications
  | Response
  | NoResponse
  | { kind: 'answers'; responses: Response[] };

/** The `error` of a response. */
export type RpcErrorObject = { code: number; message: string; data?: unknown };

/** The code for a line that is not JSON. */
export const PARSE_ERROR = -32700;
/** The code for JSON that is not a message, and for a message that may not come now. */
export const INVALID_REQUEST = -32600;
/** The code for an unknown method. */
export const METHOD_NOT_FOUND = -32601;
/** The code for params that a method does not accept. */
export const INVALID_PARAMS = -32602;
/** The code for a failure inside the responder. */
export const INTERNAL_ERROR = -32603;

/** The peer's fault: becomes the error of its response. */
export class RpcError extends Error {
  override name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The error member of a response. */
export const toErrorObject = ({ code, message, data }: RpcError): RpcErrorObject =>
  data === undefined ? { code, message } : { code, message, data };

/** One text per id, so that 7 and "7" are different keys. */
export const idKey = (id: RequestId): string => (typeof id === 'string' ? `"${id}` : String(id));

/** An id as JSON. */
export const toIdText = (id: RequestId | null): string => (typeof id === 'string' ? JSON.stringify(id) : String(id));

/** The error member of a response as a peer wrote it; a member that is missing or of another type becomes 0 or ''. */
export const readError = (error: unknown): RpcErrorObject => {
  const { code, message, data } = isObject(error) ? error : {};
  const known = { code: typeof code === 'number' ? code : 0, message: typeof message === 'string' ? message : '' };
  return data === undefined ? known : { ...known, data };
};
