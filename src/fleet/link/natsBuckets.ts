/** Buckets of keys and values. */
import type { KV } from '@nats-io/kv';
import { map, type Observable } from 'rxjs';
import { callNats, type NatsOwn, withoutJetStream } from './natsConnection';
import type { NatsBucket, NatsBucketSpec, NatsEntry } from './natsLink';

/** Creates a bucket where it is missing. It is read from its leader only, as a replica may lack the latest write, and an update would then fail. */
export const ensureBucket =
  (own: NatsOwn) =>
  ({ name, maxBytes, maxAgeMs, replicas }: NatsBucketSpec): Observable<NatsBucket> => {
    const kvm = new own.packages.kv.Kvm(own.stream);
    const options = { history: 1, ttl: maxAgeMs, max_bytes: maxBytes === 0 ? -1 : maxBytes, replicas };
    const run = () => kvm.create(name, { ...options, allow_direct: false });
    return callNats(own, { what: `the bucket ${name}`, run, whySilent: withoutJetStream(own) }).pipe(
      map((kv) => toBucket(own, name, kv)),
    );
  };

const toBucket = (own: NatsOwn, name: string, kv: KV): NatsBucket => {
  const call = <T>(key: string, run: () => Promise<T>) => callNats(own, { what: `the key ${key} of ${name}`, run });
  return {
    get: (key) => call(key, () => kv.get(key)).pipe(map((entry) => (entry === null ? undefined : toEntry(entry)))),
    create: (key, data) => call(key, () => kv.create(key, data)),
    update: (key, data, revision) => call(key, () => kv.update(key, data, revision)),
    remove: (key, revision) => call(key, () => kv.delete(key, { previousSeq: revision })),
  };
};

type Found = { key: string; value: Uint8Array; revision: number; created: Date; operation: string };

const toEntry = ({ key, value, revision, created, operation }: Found): NatsEntry => ({
  key,
  revision,
  atMs: created.getTime(),
  data: operation === 'PUT' ? value : undefined,
});
