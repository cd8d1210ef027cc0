/** Faults that a line brings to light: a server that says nothing more after it, or answers it the other way round. Each has the cases that find it. */
import { toObject } from '../../../src/protocol/jsonrpc/json';
import { message, type Planted, read } from './planting';
import type { Fault } from './servers';

/** Answers nothing more after a line. */
const deafAfter =
  (pattern: RegExp): Fault =>
  (good) => {
    let isDeaf = false;
    return (line) => {
      if (pattern.test(line)) isDeaf = true;
      return isDeaf ? [] : good(line);
    };
  };

/** Has a result for what it should refuse, and refuses what it should do. */
const turned =
  (pattern: RegExp): Fault =>
  (good) =>
  (line) =>
    pattern.test(line)
      ? good(line).map((text) => {
          const { id, result, error } = read(text);
          if (id === undefined || (result === undefined && error === undefined)) return text;
          return result === undefined
            ? message({ id, result: {} })
            : message({ id, error: { code: -32603, message: 'x' } });
        })
      : good(line);

/** Takes a first notification without `_meta` for an older revision. Source: @modelcontextprotocol/server 2.0.0. */
const pinnedByNotification: Fault = (good) => {
  let isOlder: boolean | undefined;
  return (line) => {
    const { id, method, params } = read(line);
    const isModern = '_meta' in toObject(params);
    isOlder ??= method !== undefined && id === undefined && !isModern;
    return isOlder && isModern && id !== undefined
      ? [message({ id, error: { code: -32601, message: 'Method not found' } })]
      : good(line);
  };
};

/** Answers what has no answer. */
const talksTo =
  (pattern: RegExp): Fault =>
  (good) =>
  (line) => [
    ...(pattern.test(line) ? [message({ id: null, error: { code: -32600, message: 'x' } })] : []),
    ...good(line),
  ];

/** Changes how ids are written. */
const withIds =
  (pattern: RegExp, id: string): Fault =>
  (good) =>
  (line) =>
    good(line).map((text) => text.replace(pattern, id));

const planted = (make: (pattern: RegExp) => Fault, what: string, rows: Readonly<Record<string, RegExp>>) =>
  Object.entries(rows).map(([ids, pattern]): [string, Planted] => [
    `${what} ${pattern.source}`,
    { fault: make(pattern), found: ids.split(' ') },
  ]);

const method = (name: string): RegExp => new RegExp(`"method":"${name}"`);

/** Found with a handshake. */
export const LINE_FAULTS: readonly [string, Planted][] = [
  ...planted(deafAfter, 'says nothing more after', {
    'id-null': /"id":null/,
    'id-fraction': /"id":1\.5/,
    'id-boolean': /"id":true/,
    'id-array': /"id":\[1\]/,
    'id-object': /"id":\{"a":1\}/,
    'id-int64': /"id":9223372036854775807/,
    'params-null': /"params":null/,
    'params-array': /"params":\[1\]/,
    'params-text': /"params":"x"/,
    'params-number': /"params":5/,
    'batch-empty-survives': /^\[\]$/,
    'invalid-broken-json-survives invalid-broken-json': /"method":$/,
    'invalid-plain-text-survives invalid-plain-text': /^hello$/,
    'invalid-no-method-survives invalid-no-method': /"id":"bad"\}$/,
    'invalid-method-number-survives invalid-method-number': /"method":7/,
    'invalid-version-survives invalid-version': /"jsonrpc":"1.0"/,
    'invalid-no-version-survives invalid-no-version': /^\{"id":"bad"/,
    'invalid-number-survives invalid-number': /^7$/,
    'invalid-null-survives invalid-null': /^null$/,
    'json-more-members': /"extra"/,
    'json-proto-members': /"__proto__":\{/,
    'json-deep': /\[{100}/,
    'json-big-numbers': /1e400/,
    'json-line-separators': /\u2028/,
    'json-duplicate-members': /"id":"other"/,
    'json-lone-surrogate': /\\ud800/,
    'json-byte-order-mark': /^\ufeff/,
    'line-crlf': /\}\r$/,
    'line-blank-before': /^ +\t$/,
    'notification-of-request': /^\{"jsonrpc":"2.0","method":"tools\/list"/,
    'notification-known': /roots\/list_changed/,
    'notification-bad-params': /"progress":"x"/,
    'response-unknown-id': /"id":987654/,
    'error-unknown-id': /"id":"nobody"/,
    'cancel-unknown': /"requestId":987654/,
    'cancel-malformed': /"requestId":\{/,
    'cancel-without-params': /"method":"notifications\/cancelled"\}/,
    'unknown-method-of-object': method('constructor'),
    'unknown-method-proto': method('__proto__'),
    'unknown-method-empty': method(''),
    'unknown-method-sampling': method('sampling/createMessage'),
    'unknown-method-elicitation': method('elicitation/create'),
    'tools-call-odd-name-1': /"name":"constructor"/,
    'tools-call-odd-name-2': /"name":"__proto__"/,
    'tools-call-odd-name-3': /"name":"toString"/,
    'tools-call-odd-name-4': /"name":""/,
    'answers-tasks-get': method('tasks/get'),
    'answers-tasks-list': method('tasks/list'),
    'answers-resources-unsubscribe': method('resources/unsubscribe'),
  }),
  ...planted(turned, 'does the opposite of', {
    'unknown-method-roots': method('roots/list'),
    'ping-with-params': /"method":"ping","params":\{"_meta"/,
    'json-member-order': /^\{(?:"params"|"method":"ping","id":"own")/,
    'json-white-space': /^ {2}\{/,
    'json-escapes': /\\u006a/,
    'id-text': /"id":"own","method":"ping"\}$|"method":"ping","id":"own"\}$/,
    'tools-call-no-name': /"method":"tools\/call","params":\{"arguments":\{\}\}/,
    'tools-call-empty': /"method":"tools\/call","params":\{\}/,
    'tools-call-arguments-text': /"arguments":"text"/,
    'tools-list-without-params': /"method":"tools\/list"\}/,
    'tools-list-cursor-type': /"cursor":[^"]/,
    'prompts-list-bad-cursor': /"prompts\/list","params":\{"cursor"/,
    'resources-list-bad-cursor': /"resources\/list","params":\{"cursor"/,
    'resources-templates-list-bad-cursor': /"resources\/templates\/list","params":\{"cursor"/,
    'logging-level-debug': /"level":"debug"/,
    'logging-level-emergency': /"level":"emergency"/,
    'initialize-text-id': /"id":"first/,
  }),
  ...planted(talksTo, 'answers', {
    'notification-unknown': /"notifications\/no\/such"/,
    'notification-known': /roots\/list_changed/,
    'cancel-unknown': /"requestId":987654/,
    'response-unknown-id': /"id":987654/,
    'batch-of-notifications': /^\[\{"jsonrpc":"2.0","method":"notifications\/x"/,
  }),
  [
    'writes numerals as numbers',
    { fault: withIds(/"id":"7"/, '"id":7'), found: ['id-numeral', 'responses-have-ids-of-requests'] },
  ],
  [
    'cuts long ids',
    {
      fault: withIds(/"id":"x{1000}"/, `"id":"${'x'.repeat(255)}"`),
      found: ['id-long-text', 'responses-have-ids-of-requests'],
    },
  ],
  ['loses empty ids', { fault: withIds(/"id":""/, '"id":null'), found: ['id-empty-text'] }],
  [
    'rounds large ids',
    {
      fault: withIds(/"id":9007199254740991/, '"id":9007199254740992'),
      found: ['id-large', 'responses-have-ids-of-requests'],
    },
  ],
  [
    'takes a number and a text for one id',
    { fault: withIds(/"id":"77"/, '"id":77'), found: ['id-kinds-kept-apart', 'one-response-for-each-request'] },
  ],
];

/** Found in calls that take their time, or ask. */
export const CALL_FAULTS: Readonly<Record<string, Planted>> = {
  'takes a bare notification for an older revision': {
    fault: pinnedByNotification,
    found: ['modern-bare-notification'],
  },
  'waits for a call': {
    fault: (good) => {
      let waiting: string[] = [];
      let isBusy = false;
      return (line) => {
        if (/"name":"slow"/.test(line)) isBusy = true;
        else if (line !== '<silence>' && isBusy) {
          waiting.push(line);
          return [];
        }
        const answers = good(line);
        if (line !== '<silence>' || !isBusy || answers.length === 0) return answers;
        const kept = waiting;
        [isBusy, waiting] = [false, []];
        return [...answers, ...kept.flatMap(good)];
      };
    },
    found: [
      'slow-call-ping',
      'slow-call-other-requests',
      'slow-call-cancelled',
      'slow-call-cancelled-twice',
      'slow-call-cancel-of-other',
    ],
  },
  'answers a cancelled call': {
    fault: (good) => (line) =>
      /"notifications\/cancelled".*"requestId":/.test(line) && /no longer needed/.test(line)
        ? [
            message({ id: toObject(read(line).params).requestId, error: { code: -32800, message: 'Cancelled' } }),
            ...good(line),
          ]
        : good(line),
    found: [
      'slow-call-cancelled',
      'slow-call-cancelled-twice',
      'slow-call-cancel-of-other',
      'one-response-for-each-request',
    ],
  },
  'cancels every call': {
    fault: (good) => {
      const ids: unknown[] = [];
      return (line) => {
        const { id, method: name } = read(line);
        if (name === 'tools/call') ids.push(id);
        if (name !== 'notifications/cancelled') return good(line);
        return ids.flatMap((requestId) => good(message({ method: name, params: { requestId } })));
      };
    },
    found: ['slow-call-cancel-of-other'],
  },
  'has progress that stands still': {
    fault: (good) => (line) => good(line).map((text) => text.replace('"progress":2', '"progress":1')),
    found: ['progress-rises'],
  },
  'goes on with progress': {
    fault: (good) => (line) => {
      const answers = good(line);
      const progress = answers.find((text) => text.includes('notifications/progress'));
      return progress === undefined ? answers : [...answers, progress.replace('"progress":1', '"progress":3')];
    },
    found: ['progress-ends'],
  },
  'has progress of another token': {
    fault: (good) => (line) => good(line).map((text) => text.replace('"progressToken":0', '"progressToken":"0"')),
    found: ['progress-only-for-tokens'],
  },
  'asks without a message': {
    fault: (good) => (line) => good(line).map((text) => text.replace('"message":"Sure?",', '')),
    found: ['EVERY', 'asking-call-declined', 'modern-asking-call'],
  },
  'has forms within forms': {
    fault: (good) => (line) => good(line).map((text) => text.replace('{"type":"boolean"}', '{"type":"object"}')),
    found: ['EVERY', 'asking-call-declined', 'modern-asking-call'],
  },
  'hangs when it is declined': {
    fault: (good) => (line) => (line.includes('"action":"decline"') && !line.includes('"method"') ? [] : good(line)),
    found: ['EVERY', 'asking-call-declined'],
  },
  'hangs when it is refused': {
    fault: (good) => (line) => (/"error":\{"code":-32603,"message":"Nobody/.test(line) ? [] : good(line)),
    found: ['asking-call-refused'],
  },
  'asks anybody': {
    fault: (good) => (line) => good(line.replace('"capabilities":{}', '"capabilities":{"elicitation":{}}')),
    found: ['only-declared-capabilities'],
  },
  'asks anybody by its results': {
    fault: (good) => (line) =>
      good(
        /"name":"ask"/.test(line)
          ? line.replace('clientCapabilities":{}', 'clientCapabilities":{"elicitation":{}}')
          : line,
      ),
    found: ['modern-asking-call-undeclared'],
  },
  'takes any state': {
    fault: (good) => (line) => good(line.replace('no-such-state-4711', 'state')),
    found: ['modern-asking-call-foreign-state'],
  },
  'refuses keys that it does not know': {
    fault: (good) => (line) =>
      line.includes('no-such-key-4711')
        ? [message({ id: read(line).id, error: { code: -32602, message: 'x' } })]
        : good(line),
    found: ['modern-asking-call-unknown-key'],
  },
};
