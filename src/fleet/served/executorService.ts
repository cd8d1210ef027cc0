/** An executor among the services of NATS, which `nats micro` lists. */
import type { Observable } from 'rxjs';
import type { MemberStatus } from '../executor/leastLoaded';
import { execSubjects } from '../executor/subjects';
import type { NatsLink } from '../link/natsLink';
import { type NatsServiceRequest, natsService } from '../operators/natsService';

/** @param status shown in the statistics; @param metadata such as the platform */
export type ExecutorServiceDeps = {
  link: Pick<NatsLink, 'subscribe' | 'prefix'>;
  name: string;
  pool?: string;
  instance: string;
  version: string;
  metadata: Readonly<Record<string, string>>;
  status: () => MemberStatus;
};

/** The name of all executors among services. */
const SERVICE = 'codex-rx-exec';

/**
 * Registers the service while subscribed. Emits the requests to its endpoints: `status` and `pool` ask for its load, `calls` are the
 * messages of connections.
 */
export const executorService = (deps: ExecutorServiceDeps): Observable<NatsServiceRequest> => {
  const { link, name, pool, instance, version, metadata, status } = deps;
  const subjects = execSubjects(link.prefix);
  return natsService(link)({
    name: SERVICE,
    id: instance,
    version,
    description: `Processes on the machine of the executor ${name}`,
    metadata: { executor: name, ...(pool !== undefined && { pool }), ...metadata },
    endpoints: [
      { name: 'status', subject: subjects.status(name) },
      ...(pool === undefined ? [] : [{ name: 'pool', subject: subjects.pool(pool) }]),
      { name: 'calls', subject: subjects.callsOfAll({ executor: name, instance }) },
    ],
    data: status,
  });
};
