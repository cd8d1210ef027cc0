/** How this machine logs in to NATS, as the operator set it. */

/**
 * The table `[nats]` of config.toml and the environment. Files are absolute paths, read at each login.
 *
 * - `credentialsFile`: the user of a decentralized account; `nkeyFile`: a seed; `caFile`, `certFile`, `keyFile`: TLS, in PEM
 * - `password`, `token`: from the environment
 * - `prefix`: begins every subject and the name of every stream and bucket; `inbox` begins the subjects of responses
 * - `domain`: of JetStream; `name`: how the server lists the connection
 */
export type NatsSettings = {
  credentialsFile?: string;
  nkeyFile?: string;
  user?: string;
  password?: string;
  passwordFile?: string;
  token?: string;
  tokenFile?: string;
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  prefix: string;
  inbox: string;
  domain?: string;
  name: string;
};

/** Where the operator set nothing. */
export const NATS_DEFAULTS: NatsSettings = { prefix: 'codex-rx', inbox: '_INBOX', name: 'codex-rx' };
