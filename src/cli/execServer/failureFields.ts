/** What the log says of the end of an exec-server that failed. */

/** Errors that name what the operator has to change. Names, as their classes would be loaded at each start. */
const OF_THE_OPERATOR = new Set(['NatsError', 'SetupError']);

/** The reason alone where the operator can fix it, or the system refused something, such as a port; the stack of a bug. */
export const failureFields = (error: Error): { reason: string } | { stack: string | undefined } =>
  OF_THE_OPERATOR.has(error.name) || 'syscall' in error ? { reason: error.message } : { stack: error.stack };
