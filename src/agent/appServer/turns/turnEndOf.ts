/** Detects when the server ends a turn, and how. */
import type { Notification } from '../../../protocol/jsonrpc/messages';
import type { TurnEnd } from '../../turns/turnEnd';
import { ErrorParams, read, TurnEndParams } from '../shapes';

/** How the server ends a turn; `completed` becomes `finished` with the agent's last message. */
export type ServerEnd = { kind: 'completed' } | Extract<TurnEnd, { kind: 'failed' | 'interrupted' }>;

/** `isConfirmed`: the server sends nothing more about it. */
export type AnnouncedEnd = { end: ServerEnd; isConfirmed: boolean };

type ErrorTexts = { message: string; additionalDetails: string };

const failed = ({ message, additionalDetails }: ErrorTexts): ServerEnd => ({
  kind: 'failed',
  message: [message || 'The turn failed.', additionalDetails].filter(Boolean).join('\n'),
});

/**
 * The end that a notification announces, if any.
 * Source: codex app-server: a final `error` comes a moment before `turn/completed`; in the field it has also come alone.
 */
export const turnEndOf = ({ method, params }: Pick<Notification, 'method' | 'params'>): AnnouncedEnd | undefined => {
  if (method === 'error') {
    const { error, willRetry } = read(ErrorParams, params);
    return willRetry ? undefined : { end: failed(error), isConfirmed: false };
  }
  if (method !== 'turn/completed') return undefined;
  const { status, error } = read(TurnEndParams, params).turn;
  if (status === 'failed') return { end: failed(error), isConfirmed: true };
  return { end: { kind: status === 'interrupted' ? 'interrupted' : 'completed' }, isConfirmed: true };
};
