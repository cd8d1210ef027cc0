/** The NATS subjects of executors: where a client calls one, where that responds, where the events of processes are stored. */

import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc';
import { isPlainName } from '../../text';

/** A connection of a client to one life of an executor; `instance` is another after each start of it. */
export type ConnectionName = { executor: string; instance: string; connection: string };

/** Characters of a subject's token that need no quoting anywhere. */
const PLAIN = /^[\w-]+$/;
const ENCODED = '=';
/** A server ends the connection of whoever sends a line of more than 4,096 bytes. Source: nats-server 2.9.10, max_control_line. */
const MAX_TOKEN_CHARS = 1_024;
const TOO_LONG = `the id of a process behind NATS is too long: ${MAX_TOKEN_CHARS} letters and digits at most`;

/** True for a name that executors and pools may have: up to 64 letters, digits, `-` and `_`. */
export const isExecutorName = isPlainName;

/** A text as one token of a subject: as it stands where that is possible, else encoded. Throws RpcError where it is too long for one. */
export const toToken = (text: string): string => {
  const token = PLAIN.test(text) ? text : `${ENCODED}${Buffer.from(text).toString('base64url')}`;
  if (token.length > MAX_TOKEN_CHARS) throw new RpcError(INVALID_PARAMS, TOO_LONG);
  return token;
};

/** The text of a token. */
export const fromToken = (token: string): string =>
  token.startsWith(ENCODED) ? Buffer.from(token.slice(ENCODED.length), 'base64url').toString() : token;

/**
 * Subjects that begin with `prefix`. `status` and `pool` are asked for members, `calls` receives the messages of one connection, `callsOfAll` those of
 * all connections of an instance, `client` what is sent to a client. `events` has those of one process, `eventsOfSession` those of all processes of a session.
 */
export const execSubjects = (prefix: string) => ({
  status: (executor: string) => `${prefix}.exec.${executor}`,
  pool: (pool: string) => `${prefix}.pool.${pool}`,
  calls: ({ executor, instance, connection }: ConnectionName) => `${prefix}.exec.${executor}.${instance}.${connection}`,
  callsOfAll: ({ executor, instance }: Omit<ConnectionName, 'connection'>) =>
    `${prefix}.exec.${executor}.${instance}.*`,
  client: (connection: string) => `${prefix}.client.${connection}`,
  events: (executor: string, session: string, processId: string) =>
    `${prefix}.events.${executor}.${session}.${toToken(processId)}`,
  eventsOfSession: (executor: string, session: string) => `${prefix}.events.${executor}.${session}.*`,
  eventsOfAll: (executor: string) => `${prefix}.events.${executor}.>`,
  stream: (executor: string) => `${prefix}-exec-${executor}`,
});

export type ExecSubjects = ReturnType<typeof execSubjects>;

/** The last token of a subject. */
export const lastToken = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);
