/** Cases of tasks that ask: a tool of `--tool` whose task asks its client. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import type { Message } from '../../../messages';
import type { ConformCase, Given } from '../../conformCase';
import { awaited, response, short } from '../../expecting';
import { responsesOf } from '../../observed';
import { acknowledged, call, created, ended, of, task } from './calls';
import { DECLARED, declaring, TASKS } from './withoutTask';

type Json = Readonly<Record<string, unknown>>;

const ASKED = {
  ...TASKS,
  needs: ['askingTask'],
  capabilities: { ...DECLARED, elicitation: {}, sampling: {} },
} satisfies Partial<ConformCase>;

/** Stands for the key of the first question. */
const KEY = '<string $key>';

const keysOf = (task: Json): string[] => Object.keys(toObject(task.inputRequests));

/** The task when it asks; a case may name the key of its first question. */
const asking = (letter: string, faultOf: (task: Json) => string | undefined = () => undefined): Message => {
  const asked = task(letter, (one) =>
    one.status === 'input_required' ? faultOf(one) : `it does not ask, its status is ${short(one.status)}`,
  );
  const holesIn = (message: unknown) => {
    const [key] = keysOf(toObject(toObject(message).result));
    return key === undefined ? {} : { $key: key };
  };
  return awaited({ ...(asked as object), holesIn } as Message, ({ result }) => toObject(result).status === 'working');
};

/** What follows the call, until the task asks. */
const whenAsked = (client: string, server: string, values: (given: Given) => Record<string, Message>) => ({
  client: `t-g-${client}`,
  server: `-T-G${server}`,
  values: (given: Given) => ({
    t: call(given),
    T: created('t'),
    g: of(given, 'tasks/get'),
    G: asking('g'),
    ...values(given),
  }),
});

/** Answers by the kind of question. Source: 2026-07-28 schema, ElicitResult, CreateMessageResult, ListRootsResult. */
const answersOf = ({ tool }: Given): Json[] => {
  if (tool.asks === 'roots/list') return [{ roots: [] }];
  if (tool.asks === 'sampling/createMessage')
    return [{ role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'none', stopReason: 'endTurn' }];
  return [{ action: 'decline' }, { action: 'cancel' }];
};

const update = (given: Given, inputResponses: object): Message => of(given, 'tasks/update', { inputResponses });

/** The task once the question with the key is no longer open. */
const goneOn = (letter: string): Message =>
  awaited(task(letter), ({ result }) => toObject(result).status === 'working');

/** Values that are no answer. */
const ODD: Readonly<Record<string, unknown>> = {
  null: null,
  text: 'yes',
  number: 1,
  list: [],
  empty: {},
  'unknown-action': { action: 'perhaps' },
  'action-number': { action: 1 },
  wrapped: { result: { action: 'accept' } },
};

const odd: readonly ConformCase[] = Object.entries(ODD).map(([kind, value]) => ({
  id: `tasks-update-odd-answer-${kind}`,
  level: 'ROBUSTNESS',
  ...ASKED,
  section: 'task-update-requests',
  sentence: 'An answer that fits no question has a response, and the task can still be polled.',
  ...whenAsked('u-h-', '-U-H', (given) => ({
    u: update(given, { [KEY]: value }),
    U: response('u'),
    h: of(given, 'tasks/get'),
    H: task('h'),
  })),
}));

const MUST_ASK =
  'If the status is input_required, the server MUST return a Task object with status input_required and an inputRequests field';

/** The cases of this file. */
export const ASKING_TASKS: readonly ConformCase[] = [
  {
    id: 'tasks-asks',
    level: 'MUST',
    ...ASKED,
    section: 'response',
    sentence: MUST_ASK,
    ...whenAsked('', '', () => ({})),
  },
  {
    id: 'tasks-asks-again-alike',
    level: 'MUST',
    ...ASKED,
    section: 'response',
    sentence: 'The inputRequests field MUST contain all outstanding requests from the server to the client',
    ...whenAsked('h-', '-H', (given) => ({ h: of(given, 'tasks/get'), H: asking('h') })),
    judge: (observed) => {
      const seen = responsesOf(observed).flatMap(({ result }) => {
        const { inputRequests } = toObject(result);
        return inputRequests === undefined ? [] : [JSON.stringify(inputRequests)];
      });
      return new Set(seen).size < 2
        ? undefined
        : `its questions differ from poll to poll: ${seen.map(short).join(', ')}`;
    },
  },
  {
    id: 'tasks-asks-only-declared',
    level: 'MUST',
    ...ASKED,
    section:
      'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow',
    sentence:
      'Servers MUST NOT send an inputRequests that the client has not declared support for in its capabilities.',
    client: 't-',
    server: '-T',
    values: (given) => ({
      t: declaring(DECLARED, 'tools/call', { name: given.tool.name, arguments: given.tool.arguments })(given),
      T: response('t', ({ result }) => (keysOf(toObject(result)).length === 0 ? undefined : 'it asks')),
    }),
  },
  {
    id: 'tasks-update',
    level: 'MUST',
    ...ASKED,
    section: 'response-1',
    sentence: 'On success, the server MUST acknowledge the request with an empty result.',
    ...whenAsked('u-', '-U', (given) => ({ u: update(given, { [KEY]: answersOf(given)[0] }), U: acknowledged('u') })),
  },
  ...['decline', 'cancel'].map(
    (action, at): ConformCase => ({
      id: `tasks-update-${action}`,
      level: 'MUST',
      ...ASKED,
      section: 'task-update-requests',
      sentence:
        'continue observing the task’s status via polling (tasks/get) or notifications (notifications/tasks) until it reaches a terminal state.',
      ...whenAsked('u-h-', '-U-H', (given) => ({
        u: update(given, { [KEY]: answersOf(given)[at] ?? answersOf(given)[0] }),
        U: acknowledged('u'),
        h: of(given, 'tasks/get'),
        H: goneOn('h'),
      })),
    }),
  ),
  {
    id: 'tasks-update-unknown-key',
    level: 'SHOULD',
    ...ASKED,
    section: 'response-1',
    sentence:
      'A server SHOULD ignore any inputResponses responses mapped to a key that is not currently outstanding for the task',
    ...whenAsked('u-h-', '-U-H', (given) => ({
      u: update(given, { 'no-such-key-4711': answersOf(given)[0] }),
      U: acknowledged('u'),
      h: of(given, 'tasks/get'),
      H: asking('h'),
    })),
  },
  {
    id: 'tasks-update-empty',
    level: 'SHOULD',
    ...ASKED,
    section: 'response-1',
    sentence: 'the task remains in input_required until the remaining responses arrive.',
    ...whenAsked('u-h-', '-U-H', (given) => ({
      u: update(given, {}),
      U: acknowledged('u'),
      h: of(given, 'tasks/get'),
      H: asking('h'),
    })),
  },
  {
    id: 'tasks-update-mixed-keys',
    level: 'SHOULD',
    ...ASKED,
    section: 'response-1',
    sentence:
      'A server SHOULD ignore any inputResponses responses mapped to a key that is not currently outstanding for the task',
    ...whenAsked('u-h-', '-U-H', (given) => ({
      u: update(given, { 'no-such-key-4711': {}, [KEY]: answersOf(given)[0] }),
      U: acknowledged('u'),
      h: of(given, 'tasks/get'),
      H: goneOn('h'),
    })),
  },
  {
    id: 'tasks-update-twice',
    level: 'SHOULD',
    ...ASKED,
    section: 'response-1',
    sentence: 'including keys that were never issued, keys that have already been answered',
    ...whenAsked('u-v-h-', '-U-V-H', (given) => ({
      u: update(given, { [KEY]: answersOf(given)[0] }),
      U: acknowledged('u'),
      v: update(given, { [KEY]: answersOf(given)[0] }),
      V: acknowledged('v'),
      h: of(given, 'tasks/get'),
      H: goneOn('h'),
    })),
  },
  ...odd,
  {
    id: 'tasks-cancel-while-asking',
    level: 'MUST',
    ...ASKED,
    section: 'response-2',
    sentence: 'On success, the server MUST acknowledge the request with an empty result.',
    ...whenAsked('c-u-h-', '-C-U-H', (given) => ({
      c: of(given, 'tasks/cancel'),
      C: acknowledged('c'),
      u: update(given, { [KEY]: answersOf(given)[0] }),
      U: response('u'),
      h: of(given, 'tasks/get'),
      H: ended('h'),
    })),
  },
];
