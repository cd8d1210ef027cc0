/** Failures of the NATS packages become a `NatsError`. */
import { NatsError, type NatsFailure } from '../../io/nats/natsAddress';
import { reasonOf } from '../../streams/text/reasons';

/** By the name of the package's error class. Source: @nats-io/nats-core 3.4, errors.d.ts. */
const KINDS: Readonly<Record<string, NatsFailure>> = {
  TimeoutError: 'timeout',
  NoResponders: 'noResponder',
  PermissionViolationError: 'refused',
  AuthorizationError: 'refused',
  UserAuthenticationExpiredError: 'refused',
  ConnectionError: 'unreachable',
  ClosedConnectionError: 'unreachable',
  DrainingConnectionError: 'unreachable',
  StreamNotFoundError: 'absent',
  JetStreamNotEnabled: 'noResponder',
};

/** By the error code of JetStream. Source: nats-server 2.9.10, server/errors.json. */
const CODES: Readonly<Record<number, NatsFailure>> = {
  10004: 'timeout', // incomplete results: a server of the cluster did not respond
  10008: 'noResponder', // the cluster has no leader now
  10023: 'full', // insufficient resources
  10028: 'full', // memory resources
  10037: 'absent', // no message found
  10076: 'noResponder', // JetStream is not enabled on that server
  10047: 'full', // storage resources
  10059: 'absent', // stream not found
  10063: 'timeout', // a server that lost the lead while it stored the message, which is not stored
  10071: 'conflict', // wrong last sequence
  10164: 'conflict', // the same, of a server that does not name it
  10158: 'timeout', // a cluster is still storing a message of this id (2.11 and later)
  10163: 'timeout', // the last sequence of a subject is not known for the moment (2.11 and later)
  10077: 'full', // maximum messages or bytes of the stream
  10014: 'timeout', // consumer not found: it is lost, another one may be made
};

const REMEDY: Partial<Record<NatsFailure, string>> = {
  refused: 'the server denies this login or subject: see the table of subjects in docs/fleet.md',
  noResponder: 'nobody serves it now',
  unreachable: 'see that a server runs there, and that the address is right',
  full: 'raise its limits, or remove what is not needed any more',
  large: 'raise max_payload of the server',
};

const SWITCH_ON =
  'start it with -js -sd FOLDER, or write jetstream { store_dir: "FOLDER" } into its configuration, and jetstream: enabled into the account';

/** For a server that has no JetStream: it says so, or does not answer the request. */
export const NO_JETSTREAM = `runs without JetStream: ${SWITCH_ON}`;

/** For a server that may have JetStream: the account of the login has none, or not what was requested. */
const UNANSWERED = `no stream takes the subject, this login has no right to it there, or JetStream is off: ${SWITCH_ON}`;

/** A login that the server does not know; a known one may lack a subject. */
const NOT_ENABLED = new Set(['JetStreamNotEnabled']);
const OF_LOGINS = new Set(['AuthorizationError', 'UserAuthenticationExpiredError']);
const LOGIN =
  'the server denies this login: check [nats] of config.toml, and the variables NATS_*, which count before it; see docs/fleet.md';

/** How to name our own certificate. */
export const CERTIFICATE_FILES =
  'name its files by cert and key under [nats] in config.toml, or in NATS_CERT and NATS_KEY';

const CERTIFICATE = `the server accepts only clients with a certificate that it knows: ${CERTIFICATE_FILES}`;

/** A `NatsError` for what a package has thrown while it did `what`. */
export const toNatsError = (what: string, error: unknown): NatsError => {
  if (error instanceof NatsError) return error;
  const alert = alertOf(error);
  if (alert !== undefined) return new NatsError('refused', `${what}: ${alert} (${CERTIFICATE})`);
  const kind = kindOf(error);
  const remedy = isOf(error, OF_LOGINS) ? LOGIN : isOf(error, NOT_ENABLED) ? UNANSWERED : REMEDY[kind];
  return new NatsError(kind, `${what}: ${reasonOf(error)}${remedy === undefined ? '' : ` (${remedy})`}`);
};

type Thrown = { name?: string; message?: string; code?: unknown; status?: unknown; cause?: unknown };

const isOf = (error: unknown, names: ReadonlySet<string>): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  const { name = '', cause } = error as Thrown;
  return names.has(name) || isOf(cause, names);
};

const kindOf = (error: unknown): NatsFailure => {
  if (typeof error !== 'object' || error === null) return 'failed';
  const { name = '', message = '', code, status, cause } = error as Thrown;
  if (message.includes('max_payload')) return 'large'; // the client refuses it, by a class for all invalid arguments
  const kind = CODES[Number(code)] ?? KINDS[name] ?? (isWithoutLeader(code, status) ? 'noResponder' : undefined);
  return kind ?? (cause === undefined ? 'failed' : kindOf(cause));
};

/** A cluster that changes its leader refuses without a JetStream code, as with `raft: not leader`. Source: nats-server 2.9.10, jetstream_cluster.go. */
const isWithoutLeader = (code: unknown, status: unknown): boolean => !code && status === 503;

const ALERT = /(?:tls|ssl)\w{0,16} alert (?:bad certificate|certificate \w+|unknown ca|unsupported certificate)/i;

/** The alert of a server about our certificate, or about a missing one, after the TLS handshake. Source: OpenSSL 3 */
const alertOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const { message = '', cause } = error as Thrown;
  return ALERT.exec(message)?.[0] ?? alertOf(cause);
};
