/** Keeps the secrets of one program out of the log. */

import type { Log } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import { redactText } from './redactText';

/** A log in whose text fields the given values are hidden, and what looks like a secret. Messages are constant and stay as they are. */
export const hideInLog = (log: Log, secrets: readonly string[]): Log => {
  const hide = lazy(() => redactText({ secrets, maxChars: Number.POSITIVE_INFINITY }));
  const hidden = (value: unknown): unknown => (typeof value === 'string' ? hide()(value) : value);
  return (level, message, fields = {}) =>
    log(level, message, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value)])));
};
