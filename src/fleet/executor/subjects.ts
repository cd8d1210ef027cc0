/** NATS subjects of an executor: requests, responses, stored process events. */
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { reasonOf } from '../../streams/text/reasons';
import { toToken } from '../link/tokens';

/** A connection of a client to one run of an executor; `instance` is different after each start. */
type ConnectionName = { executor: string; instance: string; connection: string };

/** Throws RpcError if the process id is too long for a subject token. */
const processToken = (processId: string): string => {
  try {
    return toToken(processId);
  } catch (error) {
    throw new RpcError(INVALID_PARAMS, reasonOf(error));
  }
};

/** Subjects that begin with `prefix`. */
export const execSubjects = (prefix: string) => ({
  /** Requests for the status of an executor. */
  status: (executor: string) => `${prefix}.exec.${executor}`,
  /** Requests for the status of the members of a pool. */
  pool: (pool: string) => `${prefix}.pool.${pool}`,
  /** Messages of one connection to an executor. */
  calls: ({ executor, instance, connection }: ConnectionName) => `${prefix}.exec.${executor}.${instance}.${connection}`,
  /** Messages of all connections to an instance. */
  callsOfAll: ({ executor, instance }: Omit<ConnectionName, 'connection'>) =>
    `${prefix}.exec.${executor}.${instance}.*`,
  /** Messages to a client. */
  client: (connection: string) => `${prefix}.client.${connection}`,
  /** Events of one process. */
  events: (executor: string, session: string, processId: string) =>
    `${prefix}.events.${executor}.${session}.${processToken(processId)}`,
  eventsOfSession: (executor: string, session: string) => `${prefix}.events.${executor}.${session}.*`,
  eventsOfAll: (executor: string) => `${prefix}.events.${executor}.>`,
  stream: (executor: string) => `${prefix}-exec-${executor}`,
});

export type ExecSubjects = ReturnType<typeof execSubjects>;
