/** Follows the handshake of MCP: what comes before it, and what nobody has declared. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { BATCH_VERSION, META_CAPABILITIES, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import type { IndexedMessage, SessionIndex, Side } from '../session/sessionIndex';
import { type Fault, isFromStart, type MessageRules, protocolFault, requestOf } from './finding';

const metaOf = (params: unknown): JsonObject => toObject(toObject(params)._meta);

/** Whether the params are those of a request of a revision without a handshake. */
export const isModern = (params: unknown): boolean => META_VERSION in metaOf(params);

/** What a side must have declared before a method is sent; a dot leads into a capability. Source: schema of each revision with a handshake. */
const NEEDS: Readonly<Record<Side, readonly (readonly [method: RegExp, capability: string])[]>> = {
  server: [
    [/^resources\/(?:un)?subscribe$|^notifications\/resources\/updated$/, 'resources.subscribe'],
    [/^notifications\/tools\/list_changed$/, 'tools.listChanged'],
    [/^notifications\/prompts\/list_changed$/, 'prompts.listChanged'],
    [/^notifications\/resources\/list_changed$/, 'resources.listChanged'],
    [/^tools\//, 'tools'],
    [/^prompts\//, 'prompts'],
    [/^resources\//, 'resources'],
    [/^logging\/|^notifications\/message$/, 'logging'],
    [/^completion\//, 'completions'],
  ],
  client: [
    [/^sampling\//, 'sampling'],
    [/^roots\//, 'roots'],
    [/^elicitation\//, 'elicitation'],
    [/^notifications\/roots\/list_changed$/, 'roots.listChanged'],
  ],
};

/** The first revision with this capability. */
const COMPLETIONS_VERSION = '2025-03-26';

type Handshake = {
  phase: 'none' | 'asked' | 'done';
  version?: string;
  capabilities: Partial<Record<Side, JsonObject>>;
  hasModern: boolean;
};

const OTHER: Readonly<Record<Side, Side>> = { client: 'server', server: 'client' };

/** Follows `initialize`: what comes before its response, and what nobody has declared. */
export const handshake = (): MessageRules => {
  let known: Handshake = { phase: 'none', capabilities: {}, hasModern: false };
  return (one, index) => {
    const { message, from, part } = one;
    const request = requestOf(one, index);
    if (message.kind === 'response' && labelOf(request?.message) === 'initialize')
      known = agreed(known, message.body.result);
    const isBatch = part !== undefined && known.version !== undefined && known.version > BATCH_VERSION;
    const isAgain = message.kind === 'request' && message.method === 'initialize' && known.phase !== 'none';
    const faults = protocolFault(
      isBatch ? `revision ${known.version} has no batches` : undefined,
      isAgain ? 'the session was initialized before' : undefined,
    );
    if (message.kind === 'notification') return [...faults, ...undeclared(known, one)];
    if (message.kind !== 'request') return faults;
    if (message.method === 'initialize' && from === 'client') {
      const client = toObject(toObject(message.params).capabilities);
      known = { ...known, phase: 'asked', capabilities: { ...known.capabilities, client } };
      return faults;
    }
    known = { ...known, hasModern: known.hasModern || isModern(message.params) };
    return [...faults, ...(isModern(message.params) ? modernFaults(message.params) : requestFaults(known, one, index))];
  };
};

const agreed = (known: Handshake, result: unknown): Handshake => {
  const { protocolVersion, capabilities } = toObject(result);
  return {
    ...known,
    phase: 'done',
    ...(typeof protocolVersion === 'string' && { version: protocolVersion }),
    ...(isObject(capabilities) && { capabilities: { ...known.capabilities, server: capabilities } }),
  };
};

/** Methods that both sides may send before the handshake is over. */
const EARLY = /^(?:ping|server\/discover)$/;

const requestFaults = (known: Handshake, one: IndexedMessage, { meta }: SessionIndex): Fault[] => {
  const { phase, hasModern } = known;
  const { message, from } = one;
  if (message.kind !== 'request' || EARLY.test(message.method)) return [];
  if (phase === 'none' && hasModern)
    return protocolFault(
      from === 'server'
        ? `a server sends no requests in revision ${MODERN_VERSION}`
        : `its _meta has no ${META_VERSION}, as each request of revision ${MODERN_VERSION} has`,
    );
  if (phase === 'asked') return protocolFault('it comes before the response to initialize');
  if (phase === 'none') return protocolFault(isFromStart(meta) ? 'it comes before initialize' : undefined);
  return undeclared(known, one);
};

/** A request needs what its receiver declared, a notification what its sender did. */
const undeclared = ({ version = '', capabilities }: Handshake, { message, from }: IndexedMessage): Fault[] => {
  const owner = message.kind === 'request' ? OTHER[from] : from;
  const declared = capabilities[owner];
  if (!('method' in message) || declared === undefined) return [];
  const needed = NEEDS[owner].find(([pattern]) => pattern.test(message.method))?.[1];
  if (needed === undefined || (needed === 'completions' && version < COMPLETIONS_VERSION)) return [];
  const [feature = '', part] = needed.split('.');
  const has = part === undefined ? feature in declared : toObject(declared[feature])[part] === true;
  return protocolFault(has ? undefined : `the ${owner} did not declare ${needed}`);
};

const modernFaults = (params: unknown): Fault[] =>
  protocolFault(isObject(metaOf(params)[META_CAPABILITIES]) ? undefined : `its _meta has no ${META_CAPABILITIES}`);
