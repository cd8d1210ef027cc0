/** Owns how what is wrong, or could be, is told. */
import type { ToMsgs } from './heard';
import { objectOf, textOf } from './wire';

/** An MCP server of the engine's own; only one that fails is worth a word. */
export const startup: ToMsgs = (_, { name, status, error }) => {
  const why = textOf(error) || textOf(objectOf(error).message);
  return status === 'failed'
    ? [{ type: 'warning', message: `The MCP server ${textOf(name)} could not be started${why && `: ${why}`}` }]
    : [];
};

export const notice: ToMsgs = (_, { summary, message }) => [
  { type: 'warning', message: textOf(summary) || textOf(message) },
];

/** One that is final ends the turn and is told then. */
export const retried: ToMsgs = (_, { error, willRetry }) =>
  willRetry === true ? [{ type: 'stream_error', message: textOf(objectOf(error).message) }] : [];
