/** Short sessions of MCP, and what `check` finds in them. */
import { checkSession } from '../../../src/tapes/check/checkSession';
import { RULES } from '../../../src/tapes/check/finding';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

export type Sent = [dir: 'in' | 'out', message: object];

/** What the rule `protocol` finds after a handshake in which the server declared its features, and the client its own; without the numbers of lines. */
export const found = (
  sent: readonly Sent[],
  server: object = {},
  client: object = {},
  recorder = 'a recorder',
): string[] => {
  const party = { name: 'x', version: '1' };
  const shaken: Sent[] = [
    ['in', { id: 0, method: 'initialize', params: { ...revision, capabilities: client, clientInfo: party } }],
    ['out', { id: 0, result: { ...revision, capabilities: server, serverInfo: party } }],
  ];
  const session = sessionFrom(
    ...[...shaken, ...sent].map(([dir, message], t): [number, string, object] => [
      t,
      dir,
      { jsonrpc: '2.0', ...message },
    ]),
  );
  const index = toSessionIndex({ ...session, meta: { recorder } });
  const allowed = RULES.filter((rule) => rule !== 'protocol');
  return checkSession(index, { allowed, forbidden: [] }).map(({ lineNumber, text }) => `${lineNumber} ${text}`);
};

export const revision = { protocolVersion: '2025-11-25' };
export const ping = (id: unknown, params?: unknown): Sent[] => [
  ['in', { id, method: 'ping', params }],
  ['out', { id, result: {} }],
];
export const notify = (dir: 'in' | 'out', method: string, params?: unknown): Sent => [dir, { method, params }];
export const ask = (method: string, params: object, result: object): Sent[] => [
  ['in', { id: 1, method, params }],
  ['out', { id: 1, result }],
];
