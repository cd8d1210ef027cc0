/** The rules of every session: what a server must not do, whatever it is asked. */
import { isObject, parseJson, toObject } from '../../protocol/jsonrpc/json';
import {
  LEGACY_VERSIONS,
  META_LOG_LEVEL,
  META_VERSION,
  MODERN_VERSION,
  SUPPORTED_VERSIONS,
} from '../../protocol/mcp/mcp';
import type { ConformRule } from './conformCase';
import { short } from './expecting';
import { firstFault, keyOf, messagesOf, metaOf, notificationsOf, requestsOf, responsesOf, tokensOf } from './observed';

const MODERN = [MODERN_VERSION] as const;

/** What makes an object no message of JSON-RPC; undefined for a message. */
const messageFault = (message: Readonly<Record<string, unknown>>): string | undefined => {
  if (message.jsonrpc !== '2.0') return 'its jsonrpc is not "2.0"';
  if ('method' in message) {
    if (typeof message.method !== 'string') return 'its method is no string';
    if ('params' in message && !isObject(message.params)) return 'its params are no object';
    return 'result' in message || 'error' in message ? 'it has a method and an outcome' : undefined;
  }
  if ('result' in message === 'error' in message) return 'it needs either a result or an error';
  if ('result' in message) return isObject(message.result) ? undefined : 'its result is no object';
  const { code, message: text } = toObject(message.error);
  return Number.isInteger(code) && typeof text === 'string' ? undefined : 'its error needs a whole code and a message';
};

const idsOf = (messages: readonly Readonly<Record<string, unknown>>[]): string[] =>
  messages.flatMap(({ id }) => (id === null || id === undefined ? [] : [keyOf(id)]));

const countedBy = (keys: readonly string[]): ReadonlyMap<string, number> =>
  keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map<string, number>());

/** The capability of the client that a request of the server needs. Source: 2025-11-25 schema, ServerRequest. */
const NEEDED: Readonly<Record<string, string>> = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
};

/** What JSON-RPC and lines demand, of whatever protocol. */
export const RULES_OF_LINES: readonly ConformRule[] = [
  {
    id: 'stdout-only-messages',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: 'The server MUST NOT write anything to its stdout that is not a valid MCP message.',
    faultOf: ({ lines }) =>
      firstFault(lines, ({ dir, line }) =>
        dir === 'out' && parseJson(line) === undefined ? `the line ${short(line)} is not JSON` : undefined,
      ),
  },
  {
    id: 'messages-of-json-rpc',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic#messages',
    sentence: 'All messages between MCP clients and servers MUST follow the JSON-RPC 2.0 specification.',
    faultOf: (observed) =>
      firstFault(
        observed.values('out').filter((value) => value !== undefined),
        (value) => {
          const fault = isObject(value) ? messageFault(value) : 'it is no object';
          return fault === undefined ? undefined : `${fault}: ${short(value)}`;
        },
      ),
  },
  {
    id: 'responses-have-ids-of-requests',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic#result-responses',
    sentence: 'Result responses MUST include the same ID as the request they correspond to.',
    faultOf: (observed) => {
      const sent = new Set(idsOf(messagesOf(observed, 'in')));
      return firstFault(responsesOf(observed), (one) =>
        one.id === null || one.id === undefined || sent.has(keyOf(one.id))
          ? undefined
          : `no request has the id of ${short(one)}`,
      );
    },
  },
  {
    id: 'one-response-for-each-request',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'https://www.jsonrpc.org/specification#response_object',
    sentence:
      'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
    faultOf: (observed) => {
      const sent = countedBy(idsOf(requestsOf(observed)));
      const twice = [...countedBy(idsOf(responsesOf(observed)))].find(
        ([key, count]) => count > (sent.get(key) ?? count),
      );
      return twice && `the request with the id ${twice[0]} has ${twice[1]} responses`;
    },
  },
  {
    id: 'requests-have-ids',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic#requests',
    sentence: 'Unlike base JSON-RPC, the ID MUST NOT be null.',
    faultOf: (observed) =>
      firstFault(messagesOf(observed, 'out'), (one) =>
        'method' in one && 'id' in one && typeof one.id !== 'string' && !Number.isInteger(one.id)
          ? `its id is no string and no whole number: ${short(one)}`
          : undefined,
      ),
  },
];

/** The rules of progress. */
const PROGRESS: readonly ConformRule[] = [
  {
    id: 'progress-only-for-tokens',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/utilities/progress#behavior-requirements',
    sentence: 'Progress notifications MUST only reference tokens that:',
    faultOf: (observed) => {
      const tokens = tokensOf(observed);
      return firstFault(notificationsOf(observed, 'notifications/progress'), ({ params }) => {
        const token = JSON.stringify(toObject(params).progressToken);
        return tokens.includes(token) ? undefined : `no request has the progress token ${token}`;
      });
    },
  },
  {
    id: 'progress-rises',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/utilities/progress#progress-flow',
    sentence: 'The progress value MUST increase with each notification, even if the total is unknown.',
    faultOf: (observed) => {
      const last = new Map<string, number>();
      return firstFault(notificationsOf(observed, 'notifications/progress'), ({ params }) => {
        const { progressToken, progress } = toObject(params);
        const [token, before] = [JSON.stringify(progressToken), last.get(JSON.stringify(progressToken))];
        last.set(token, Number(progress));
        const isRising = typeof progress === 'number' && (before === undefined || progress > before);
        return isRising ? undefined : `progress of ${token} is ${short(progress)} after ${short(before)}`;
      });
    },
  },
  {
    id: 'progress-ends',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/utilities/progress#implementation-notes',
    sentence: 'Progress notifications MUST stop after completion',
    faultOf: (observed) => {
      const tokens = new Map(
        requestsOf(observed).map(({ id, params }) => [keyOf(id), JSON.stringify(metaOf(params).progressToken)]),
      );
      const over = new Set<string | undefined>();
      return firstFault(messagesOf(observed, 'out'), ({ id, method, params }) => {
        const token = JSON.stringify(toObject(params).progressToken);
        if (method === undefined) over.add(tokens.get(keyOf(id)));
        return method === 'notifications/progress' && over.has(token)
          ? `progress of ${token} comes after the response`
          : undefined;
      });
    },
  },
];

/** The rules are checked in each session, of whatever case. */
export const RULES: readonly ConformRule[] = [
  ...RULES_OF_LINES,
  {
    id: 'only-declared-capabilities',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic/lifecycle#operation',
    sentence: 'Only use capabilities that were successfully negotiated',
    faultOf: (observed) =>
      firstFault(messagesOf(observed, 'out'), ({ id, method }) => {
        const need = id === undefined ? undefined : NEEDED[String(method)];
        return need === undefined || need in observed.declared
          ? undefined
          : `it sends ${method}, but the client has not declared ${need}`;
      }),
  },
  ...PROGRESS,
  {
    id: 'modern-no-requests-of-servers',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic/patterns',
    sentence: 'Servers MUST NOT initiate JSON-RPC requests',
    faultOf: (observed) =>
      firstFault(messagesOf(observed, 'out'), (one) =>
        'method' in one && 'id' in one ? `it sends the request ${one.method}` : undefined,
      ),
  },
  {
    id: 'modern-result-type',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic#result-responses',
    sentence: 'The result MUST include a resultType field to indicate the type of the result.',
    faultOf: (observed) => {
      const modern = new Set(idsOf(requestsOf(observed).filter(({ params }) => META_VERSION in metaOf(params))));
      return firstFault(responsesOf(observed), ({ id, result }) => {
        const isBare = modern.has(keyOf(id)) && isObject(result) && typeof result.resultType !== 'string';
        return isBare ? `a result has no resultType: ${short(result)}` : undefined;
      });
    },
  },
  {
    id: 'modern-no-unasked-logs',
    level: 'MUST',
    revisions: MODERN,
    section: 'server/utilities/logging#per-request-log-level',
    sentence: 'The server MUST NOT emit notifications/message for a request that does not include this field.',
    faultOf: (observed) => {
      const isAsked = messagesOf(observed, 'in').some(({ params }) => META_LOG_LEVEL in metaOf(params));
      const [sent] = notificationsOf(observed, 'notifications/message');
      return isAsked || sent === undefined ? undefined : `no request asks for logs, but it sends ${short(sent)}`;
    },
  },
  {
    id: 'modern-no-reserved-codes',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic#error-codes',
    sentence: 'Implementations of this protocol version MUST NOT emit these codes:',
    faultOf: (observed) => firstFault(responsesOf(observed), ({ error }) => codeFault(Number(toObject(error).code))),
  },
];

/** Codes of earlier revisions, the codes that the specification defines, and the range that it keeps for itself. Source: 2026-07-28 basic, Error Codes. */
const FORMER = [-32002, -32042];
const DEFINED = [-32020, -32021, -32022];
const RESERVED = { from: -32099, to: -32020 };

const codeFault = (code: number): string | undefined => {
  const isReserved = code >= RESERVED.from && code <= RESERVED.to && !DEFINED.includes(code);
  return isReserved || FORMER.includes(code) ? `it emits the reserved code ${code}` : undefined;
};
