/** The shapes of the extension `io.modelcontextprotocol/tasks`. Source: modelcontextprotocol/ext-tasks, specification/draft/tasks.md (SEP-2663). */
import { isObject, type JsonObject } from '../jsonrpc/json';
import type { RpcErrorObject } from '../jsonrpc/messages';

/** The name of the extension, in the capabilities of both sides. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What every task has, whatever its status. */
type TaskBase = {
  taskId: string;
  /** One line: what is done now, or how the task ended. */
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; moves if anything else of the task changes. */
  lastUpdatedAt: string;
  /** Counted from `createdAt`; null without limit. The task may be removed afterwards. */
  ttlMs: number | null;
  /** How often a client may ask. */
  pollIntervalMs: number;
};

/** A question as a client is asked it. */
export type InputRequest = { method: 'elicitation/create'; params: JsonObject };

/** A task as `tasks/get` and `notifications/tasks` show it. */
export type Task = TaskBase &
  (
    | { status: 'working' }
    /** The open questions, by keys that are never used twice in a task. */
    | { status: 'input_required'; inputRequests: Record<string, InputRequest> }
    /** What the request would have been answered with; a failed tool is a result too. */
    | { status: 'completed'; result: JsonObject }
    /** The JSON-RPC error of the request. */
    | { status: 'failed'; error: RpcErrorObject }
    | { status: 'cancelled' }
  );

/** True for a task that changes no more. */
export const isEnded = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/** True if these capabilities of one request declare the extension. */
export const declaresTasks = ({ extensions }: JsonObject): boolean =>
  isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
