/** How a client speaks a revision: what it opens a session with, how it writes a request, by what it sees that the server lives. */
import { toObject } from '../../protocol/jsonrpc/json';
import { META_CAPABILITIES, META_CLIENT_INFO, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import { notification, request } from '../messages';
import type { Phase } from '../phase';
import { ACP_1, type ConformCase, type Given, type Offer, type Revision } from './conformCase';
import { response, result } from './expecting';
import type { LearnedTool } from './needs';

const CLIENT = { name: 'codex-rx conform', version: '1' };

/** Stands for the id of the session of an agent. */
export const SESSION = '<string $session>';

/** The version of ACP that a client offers. */
export const OFFERED = 1;

/** `initialize` of ACP. */
export const greet = (clientCapabilities: unknown = {}, protocolVersion: unknown = OFFERED) =>
  request('initialize', { protocolVersion, clientCapabilities, clientInfo: CLIENT });

/** `session/new` of ACP. */
export const open = ({ folder }: Pick<Given, 'folder'>, more: object = {}) =>
  request('session/new', { cwd: folder, mcpServers: [], ...more });

/** The answer to `session/new`, whose id a case may name. @param name stands for it */
export const opened = (letter: string, name = '$session') =>
  result(
    letter,
    ({ result: outcome }) => (typeof toObject(outcome).sessionId === 'string' ? undefined : 'it has no sessionId'),
    { [name]: ({ result: outcome }) => toObject(outcome).sessionId },
  );

const handshakeOf = ({ revision }: Pick<Given, 'revision'>, declared: object): Phase => {
  const greeting = { client: 'i-n', server: '-I-' };
  const values = { I: result('i'), n: notification('notifications/initialized') };
  if (revision === ACP_1) return { client: 'i-', server: '-I', values: { ...values, i: greet(declared) } };
  const params = { protocolVersion: revision, capabilities: declared, clientInfo: CLIENT };
  return { ...greeting, values: { ...values, i: request('initialize', params) } };
};

/** The parts of a session before the rows of a case. */
export const openingOf = (
  given: Pick<Given, 'revision' | 'folder'>,
  { opening }: Pick<ConformCase, 'opening'> = {},
  declared: object = {},
): Phase[] => {
  if (opening === 'none' || given.revision === MODERN_VERSION) return [];
  const handshake = handshakeOf(given, declared);
  if (given.revision !== ACP_1 || opening === 'handshake') return [handshake];
  return [handshake, { client: 's-', server: '-S', values: { s: open(given), S: opened('s') } }];
};

/** What every case may send besides its own: the probe, by which the server shows that it lives. An agent need not know any cheap request. */
export const commonOf = ({ revision, probe }: Given): Phase['values'] =>
  revision === ACP_1 ? { p: request('_codex-rx/probe', {}), P: response('p') } : { p: probe(), P: result('p') };

/** What is chosen on the command line, as far as cases are made from it. */
export type Chosen = Pick<Given, 'servers'> & {
  tool?: LearnedTool;
  declared?: unknown;
  folder?: string;
  prompt?: string;
};

/** What the values of a case are made from, at a revision. */
export const toGiven = (offer: Offer, revision: Revision, chosen: Chosen = {}): Given => {
  const { tool, declared = {}, folder = '/', prompt = '', servers } = chosen;
  const isModern = revision === MODERN_VERSION;
  const meta = { [META_VERSION]: revision, [META_CLIENT_INFO]: CLIENT, [META_CAPABILITIES]: declared };
  const withMeta = (params: object = {}): object => {
    const own = toObject(toObject(params)._meta);
    return { ...params, _meta: { ...meta, ...own } };
  };
  const asked: Given['request'] = (method, params) => request(method, isModern ? withMeta(params) : params);
  const probe = (): ReturnType<Given['probe']> =>
    revision === ACP_1 ? greet() : asked(isModern ? 'server/discover' : (offer.probe ?? 'ping'));
  return {
    revision,
    capabilities: toObject(offer.capabilities[revision]),
    request: asked,
    probe,
    tool: tool ?? { name: '', arguments: {} },
    folder,
    prompt,
    servers,
  };
};
