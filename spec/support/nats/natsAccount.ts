/** An account of a NATS server whose users log in with a credentials file: what `nsc` makes, for specs. */
import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;
type Claims = { name: string; sub: string; nats: object };

const base64 = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

/** Source: github.com/nats-io/jwt v2. */
const signed = (claims: Claims, issuer: KeyPair): string => {
  const nats = { ...claims.nats, version: 2 };
  const body = { jti: randomUUID(), iat: Math.floor(Date.now() / 1_000), iss: issuer.getPublicKey(), ...claims, nats };
  const text = `${base64({ typ: 'JWT', alg: 'ed25519-nkey' })}.${base64(body)}`;
  return `${text}.${base64(issuer.sign(Buffer.from(text)))}`;
};

const ALL = -1;
const LIMITS = {
  subs: ALL,
  data: ALL,
  payload: ALL,
  imports: ALL,
  exports: ALL,
  wildcards: true,
  conn: ALL,
  leaf: ALL,
  mem_storage: ALL,
  disk_storage: ALL,
  streams: ALL,
  consumer: ALL,
};

/** `config` makes a server know the account; `credentials` is the file of a new user, with these claims beside its permissions. */
export const natsAccount = () => {
  const operator = nkeys.createOperator();
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()];
  const tokenOf = (name: string, key: KeyPair, limits: object) =>
    signed({ name, sub: key.getPublicKey(), nats: { type: 'account', limits } }, operator);
  const { mem_storage: _, disk_storage: __, streams: ___, consumer: ____, ...plain } = LIMITS;
  const operatorToken = signed({ name: 'op', sub: operator.getPublicKey(), nats: { type: 'operator' } }, operator);
  const config = `operator: "${operatorToken}"
    system_account: ${system.getPublicKey()}
    resolver: MEMORY
    resolver_preload: {
      ${account.getPublicKey()}: "${tokenOf('team', account, LIMITS)}"
      ${system.getPublicKey()}: "${tokenOf('sys', system, plain)}"
    }`;
  const credentials = (permissions: object = {}): string => {
    const user = nkeys.createUser();
    const limits = { subs: ALL, data: ALL, payload: ALL };
    const token = signed(
      { name: 'ann', sub: user.getPublicKey(), nats: { type: 'user', ...limits, ...permissions } },
      account,
    );
    const seed = Buffer.from(user.getSeed()).toString();
    return `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
  };
  return { config, credentials };
};
