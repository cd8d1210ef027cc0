/** The NATS subjects of executors: where clients call one, where it responds, where the events of processes are stored. */

import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { reasonOf } from '../../streams/text/reasons';
import { toToken } from '../link/tokens';

/** A connection of a client to one run of an executor; `instance` is different after each start. */
export type ConnectionName = { executor: string; instance: string; connection: string };

/** The token of a process. Throws RpcError for an id that is too long for one. */
const processToken = (processId: string): string => {
  try {
    return toToken(processId);
  } catch (error) {
    throw new RpcError(INVALID_PARAMS, reasonOf(error));
  }
};

/**
 * Subjects that begin with `prefix`. `status` and `pool` take requests for the status of members. `calls` receives the messages of one connection,
 * `callsOfAll` those of all connections of an instance, `client` what is sent to a client. `events` has the events of one process, `eventsOfSession` those
 * of all processes of a session.
 */
export const execSubjects = (prefix: string) => ({
  status: (executor: string) => `${prefix}.exec.${executor}`,
  pool: (pool: string) => `${prefix}.pool.${pool}`,
  calls: ({ executor, instance, connection }: ConnectionName) => `${prefix}.exec.${executor}.${instance}.${connection}`,
  callsOfAll: ({ executor, instance }: Omit<ConnectionName, 'connection'>) =>
    `${prefix}.exec.${executor}.${instance}.*`,
  client: (connection: string) => `${prefix}.client.${connection}`,
  events: (executor: string, session: string, processId: string) =>
    `${prefix}.events.${executor}.${session}.${processToken(processId)}`,
  eventsOfSession: (executor: string, session: string) => `${prefix}.events.${executor}.${session}.*`,
  eventsOfAll: (executor: string) => `${prefix}.events.${executor}.>`,
  stream: (executor: string) => `${prefix}-exec-${executor}`,
});

export type ExecSubjects = ReturnType<typeof execSubjects>;
