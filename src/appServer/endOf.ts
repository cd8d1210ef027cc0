/** Owns when a turn is over, and how. */
import type { JsonObject } from '../protocol/jsonrpc';
import { objectOf, textOf } from './wire';

/** How a turn ended. `soon`: the server should say so itself in a moment. */
export type End = { kind: 'completed' } | { kind: 'interrupted' } | { kind: 'failed'; message: string; soon: boolean };

const messageOf = (error: unknown): string => {
  const { message, additionalDetails } = objectOf(error);
  return [textOf(message) || 'The turn failed.', textOf(additionalDetails)].filter(Boolean).join('\n');
};

/**
 * The end that a notification tells of, undefined when it tells of none.
 * Source: codex app-server: a final `error` comes a moment before `turn/completed`; in the field it also came alone.
 */
export const endOf = (method: string, params: JsonObject): End | undefined => {
  if (method === 'error' && params.willRetry !== true) {
    return { kind: 'failed', message: messageOf(params.error), soon: true };
  }
  if (method !== 'turn/completed') return undefined;
  const { status, error } = objectOf(params.turn);
  if (status === 'failed') return { kind: 'failed', message: messageOf(error), soon: false };
  return { kind: status === 'interrupted' ? 'interrupted' : 'completed' };
};
