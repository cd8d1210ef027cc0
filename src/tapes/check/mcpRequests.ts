/** What MCP rules about requests: their ids, their progress tokens, and the progress that is reported for them. */
import { isObject, type JsonObject, toJson, toObject } from '../../protocol/jsonrpc/json';
import { toIdText } from '../../protocol/jsonrpc/messages';
import { isCancel } from '../session/pairCalls';
import type { IndexedMessage, Side } from '../session/sessionIndex';
import { type Fault, isFromStart, type MessageRules, protocolFault, recent, requestOf } from './finding';

/**
 * A session has each id of a side once, and what is cancelled was requested. An id whose request has no response yet is a matter of JSON-RPC.
 * Source: MCP 2024-11-05 to 2025-11-25, requests and cancellation. A request of 2026-07-28 belongs to no session.
 */
export const ids = (isModern: (params: unknown) => boolean): MessageRules => {
  const requested = recent<{ lineNumber: number; isOver: boolean }>();
  return (one, index) => {
    const { message, from, lineNumber } = one;
    const key = (side: Side, id: unknown) => `${side} ${toJson(id)}`;
    const ended = requestOf(one, index);
    if (ended?.message.kind === 'request')
      requested.set(key(ended.from, ended.message.id), { lineNumber: ended.lineNumber, isOver: true });
    if (isCancel(message) && 'params' in message) {
      const { requestId } = toObject(message.params);
      const isKnown = requestId === undefined || requested.get(key(from, requestId)) !== undefined;
      return protocolFault(
        isKnown || !isFromStart(index.meta) ? undefined : `no request has the id ${JSON.stringify(requestId)}`,
      );
    }
    if (message.kind !== 'request') return [];
    const before = requested.get(key(from, message.id));
    requested.set(key(from, message.id), { lineNumber, isOver: false });
    const isAgain = before?.isOver === true && !isModern(message.params);
    return protocolFault(
      isAgain ? `the request of line ${before.lineNumber} had the id ${toIdText(message.id)} too` : undefined,
    );
  };
};

const tokenOf = ({ message, from }: IndexedMessage): string | undefined => {
  const { progressToken } = toObject(toObject('params' in message ? message.params : {})._meta);
  return progressToken === undefined ? undefined : keyOf(from, progressToken);
};

const keyOf = (side: Side, token: unknown): string => `${side} ${JSON.stringify(token)}`;

/** Requests that are open have different progress tokens. */
export const tokens = (): MessageRules => {
  const open = new Map<string, number>(); // lines of requests
  return (one, index) => {
    const { message, lineNumber } = one;
    const ended = isCancel(message)
      ? index.messages[index.calls[one.owner ?? -1]?.request ?? -1]
      : requestOf(one, index);
    if (ended !== undefined) open.delete(tokenOf(ended) ?? '');
    const token = message.kind === 'request' ? tokenOf(one) : undefined;
    if (token === undefined) return [];
    const before = open.get(token);
    open.set(token, lineNumber);
    return protocolFault(
      before === undefined
        ? undefined
        : `the request of line ${before}, which has no response yet, has its progress token too`,
    );
  };
};

type Reported = { latest: number; endedIn?: number };

/** Progress belongs to an open request, and rises. */
export const progress = (): MessageRules => {
  const tokens = recent<Reported>();
  return (one, index) => {
    const { message, from, lineNumber } = one;
    const request = message.kind === 'request' ? one : requestOf(one, index);
    const key = request && tokenOf(request);
    if (key !== undefined) {
      if (message.kind === 'request') tokens.set(key, { latest: Number.NEGATIVE_INFINITY });
      else if (!isTask(message)) tokens.set(key, { latest: 0, ...tokens.get(key), endedIn: lineNumber });
    }
    if (message.kind !== 'notification' || message.method !== 'notifications/progress') return [];
    const params = toObject(message.params);
    const named = keyOf(from === 'client' ? 'server' : 'client', params.progressToken);
    const reported = tokens.get(named);
    if (reported && typeof params.progress === 'number')
      tokens.set(named, { ...reported, latest: Math.max(reported.latest, params.progress) });
    return progressFaults(reported, params);
  };
};

/** The progress of a task goes on after the response that names the task. */
const isTask = (message: IndexedMessage['message']): boolean => {
  const { task, resultType } = message.kind === 'response' ? toObject(message.body.result) : {};
  return isObject(task) || resultType === 'task';
};

const progressFaults = (reported: Reported | undefined, params: JsonObject): Fault[] => {
  const { progressToken, progress: step, total, message } = params;
  if (reported === undefined)
    return protocolFault(`no request has the progress token ${JSON.stringify(progressToken)}`);
  const { latest, endedIn } = reported;
  return protocolFault(
    endedIn === undefined ? undefined : `its request has its response in line ${endedIn}`,
    typeof step === 'number' ? undefined : 'its progress must be a number',
    typeof step === 'number' && step <= latest
      ? `its progress ${step} does not rise: it was ${latest} before`
      : undefined,
    total === undefined || typeof total === 'number' ? undefined : 'its total must be a number',
    message === undefined || typeof message === 'string' ? undefined : 'its message must be a text',
  );
};
