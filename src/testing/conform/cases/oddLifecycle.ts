/** Cases of a handshake that is done in another order, or not at all. */
import { LEGACY_VERSIONS, MODERN_VERSION } from '../../../protocol/mcp/mcp';
import { type Message, request } from '../../messages';
import type { ConformCase } from '../conformCase';
import { response, result } from '../expecting';
import { messagesOf } from '../observed';
import { INITIALIZED, initialize } from './lifecycle';

const ODD = {
  level: 'ROBUSTNESS',
  revisions: LEGACY_VERSIONS,
  section: 'basic/lifecycle#initialization',
} as const;

/** What a client sends before a good initialize, and what is demanded then. */
const EARLY: readonly (readonly [id: string, sentence: string, early: Message])[] = [
  ['initialize-after-failure', 'A good initialize works after a refused one.', request('initialize', {})],
  [
    'initialize-ping-before',
    'A ping before initialize has a response, and initialize works afterwards.',
    request('ping'),
  ],
  [
    'initialize-request-before',
    'A request before initialize has a response, and initialize works afterwards.',
    request('tools/list', {}),
  ],
];

const early = EARLY.map(
  ([id, sentence, message]): ConformCase => ({
    ...ODD,
    id,
    sentence,
    opening: 'none',
    client: 'b-a-',
    server: '-B-A',
    values: ({ revision }) => ({ b: message, B: response('b'), a: initialize(revision), A: result('a') }),
  }),
);

/** The cases of this file. */
export const ODD_LIFECYCLE: readonly ConformCase[] = [
  ...early,
  {
    id: 'initialize-twice',
    ...ODD,
    sentence: 'A second initialize has a response, and the server goes on.',
    client: 'a-p-',
    server: '-A-P',
    values: ({ revision }) => ({ a: initialize(revision), A: response('a') }),
  },
  {
    id: 'initialize-after-discover',
    ...ODD,
    sentence: 'A server without server/discover answers it by an error, at which a client falls back to initialize.',
    opening: 'none',
    client: 'b-a-np-',
    server: '-B-A--P',
    values: ({ revision }) => ({
      b: request('server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN_VERSION } }),
      B: response('b'),
      a: initialize(revision),
      A: result('a'),
      n: INITIALIZED,
    }),
  },
  {
    id: 'initialized-missing',
    ...ODD,
    sentence: 'A request has a response although the client forgot notifications/initialized.',
    opening: 'none',
    client: 'a-b-',
    server: '-A-B',
    values: ({ revision }) => ({
      a: initialize(revision),
      A: result('a'),
      b: request('tools/list', {}),
      B: response('b'),
    }),
  },
  {
    id: 'initialized-twice',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic#notifications',
    sentence: 'The receiver MUST NOT send a response.',
    client: 'nnp-',
    server: '---P',
  },
  {
    id: 'initialize-in-one-write',
    level: 'ROBUSTNESS',
    revisions: LEGACY_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: 'Handshake and requests in one write are all answered.',
    opening: 'none',
    client: '(anbp)--',
    server: '------(ABP)',
    values: ({ revision }) => ({
      a: initialize(revision),
      A: result('a'),
      n: INITIALIZED,
      b: request('tools/list', {}),
      B: response('b'),
    }),
  },
  {
    id: 'initialize-first-no-requests',
    level: 'SHOULD',
    revisions: LEGACY_VERSIONS,
    section: 'basic/lifecycle#initialization',
    sentence:
      'The server SHOULD NOT send requests other than pings and logging before receiving the initialized notification.',
    opening: 'none',
    client: 'a-',
    server: '-A',
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
    values: ({ revision }) => ({
      a: initialize(revision, { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } }),
      A: result('a'),
    }),
    judge: (observed) => {
      const sent = messagesOf(observed, 'out').find(
        ({ id, method }) => id !== undefined && method !== undefined && method !== 'ping',
      );
      return sent && `it sends ${sent.method} before notifications/initialized`;
    },
  },
];
