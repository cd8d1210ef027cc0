/** A service as `nats micro` lists it. Own code: @nats-io/services is a pre-release. Source: NATS architecture decision 32. */
import { asyncScheduler, defer, map, merge, type Observable, tap } from 'rxjs';
import { mapMulti } from '../../streams/gather';
import type { NatsDelivery, NatsHeaders, NatsLink } from '../link/natsLink';

type NatsEndpoint = { name: string; subject: string };

type NatsServiceSpec = {
  /** Letters, digits, - and _; the same for all instances. */
  name: string;
  /** Of this instance. */
  id: string;
  /** In the form of SemVer. */
  version: string;
  description: string;
  metadata: NatsHeaders;
  endpoints: readonly NatsEndpoint[];
  /** Shown in the statistics of each endpoint, such as the load. */
  data: () => unknown;
};

/** A request for an endpoint. `respond` or `refuse` is called once; `refuse` counts as an error of the service. */
export type NatsServiceRequest = NatsDelivery & { endpoint: string; refuse: (code: number, reason: string) => void };

type Counts = { requests: number; errors: number; lastError: string; busyNs: number };

const TYPE = 'io.nats.micro.v1.';

/** Registers the service while it is subscribed, and emits the requests for its endpoints. Errors if the server denies a subject. */
export const natsService =
  (link: Pick<NatsLink, 'subscribe'>) =>
  (spec: NatsServiceSpec): Observable<NatsServiceRequest> =>
    defer(() => {
      const started = new Date(asyncScheduler.now()).toISOString();
      const counts = new Map(spec.endpoints.map(({ name }) => [name, { ...NO_COUNTS }] as const)); // counted in place, for each request
      const about = { PING: () => ({}), INFO: () => infoOf(spec), STATS: () => statsOf(spec, counts, started) };
      return merge(
        ...Object.entries(about).map(([verb, more]) => answered(link, spec, { verb, more })),
        ...spec.endpoints.map((endpoint) => requestsOf(link, endpoint, counts.get(endpoint.name) ?? { ...NO_COUNTS })),
      );
    });

const NO_COUNTS: Readonly<Counts> = { requests: 0, errors: 0, lastError: '', busyNs: 0 };

/** Answers $SRV.VERB, $SRV.VERB.NAME and $SRV.VERB.NAME.ID; emits nothing. */
const answered = (
  link: Pick<NatsLink, 'subscribe'>,
  spec: NatsServiceSpec,
  { verb, more }: { verb: string; more: () => object },
): Observable<never> => {
  const { name, id, version, metadata } = spec;
  const subjects = [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${id}`];
  const type = `${TYPE}${verb.toLowerCase()}_response`;
  return merge(...subjects.map((subject) => link.subscribe({ subject }))).pipe(
    tap(({ respond }) => respond(Buffer.from(JSON.stringify({ type, name, id, version, metadata, ...more() })))),
    mapMulti(() => {}),
  );
};

const infoOf = ({ description, endpoints }: NatsServiceSpec) => ({
  description,
  endpoints: endpoints.map((endpoint) => ({ ...endpoint, queue_group: '', metadata: {} })),
});

const statsOf = ({ endpoints, data }: NatsServiceSpec, counts: ReadonlyMap<string, Counts>, started: string) => ({
  started,
  endpoints: endpoints.map(({ name, subject }) => {
    const { requests, errors, lastError, busyNs } = counts.get(name) ?? NO_COUNTS;
    const times = { processing_time: busyNs, average_processing_time: Math.round(busyNs / Math.max(requests, 1)) };
    const numbers = { num_requests: requests, num_errors: errors, last_error: lastError };
    return { name, subject, queue_group: '', ...numbers, ...times, data: data() };
  }),
});

const requestsOf = (link: Pick<NatsLink, 'subscribe'>, endpoint: NatsEndpoint, counts: Counts) => {
  const { name, subject } = endpoint;
  return link.subscribe({ subject }).pipe(
    map((delivery): NatsServiceRequest => {
      const beganMs = asyncScheduler.now();
      counts.requests += 1;
      const end = () => {
        counts.busyNs += (asyncScheduler.now() - beganMs) * 1e6;
      };
      const respond: NatsDelivery['respond'] = (data, headers) => {
        end();
        delivery.respond(data, headers);
      };
      const refuse = (code: number, reason: string) => {
        counts.errors += 1;
        counts.lastError = reason;
        respond(new Uint8Array(), { 'Nats-Service-Error': reason, 'Nats-Service-Error-Code': String(code) });
      };
      const { subject: asked, data, headers } = delivery;
      return { subject: asked, data, headers, endpoint: name, respond, refuse };
    }),
  );
};
