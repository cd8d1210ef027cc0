/** Cases of calls that become tasks: who gets one, what it is like, its id. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { MISSING_CAPABILITY } from '../../../../protocol/mcp/mcp';
import type { Message } from '../../../messages';
import type { ConformCase, Observed } from '../../conformCase';
import { expectedOf, response, result, short } from '../../expecting';
import { responsesOf } from '../../observed';
import { call, created, of, RUNNING, task, whenCreated } from './calls';
import { declaring, NOT_DECLARED, undeclared } from './withoutTask';

const ONLY_DECLARED =
  'A server MUST NOT return CreateTaskResult to a client that did not include the extension capability on its request, regardless of prior declarations.';

/** A response that is no task. */
const noTask = (letter: string): Message =>
  response(letter, ({ result: outcome, error }) => {
    if (error !== undefined) {
      const { code } = toObject(error);
      return code === MISSING_CAPABILITY ? expectedOf(undeclared(letter))?.faultOf({ error }) : undefined;
    }
    return toObject(outcome).resultType === 'task' ? 'it is a task' : undefined;
  });

const notDeclared: readonly ConformCase[] = Object.entries(NOT_DECLARED).map(([kind, capabilities]) => ({
  id: `tasks-create-undeclared-${kind}`,
  level: 'MUST',
  ...RUNNING,
  section: 'capability-negotiation',
  sentence: ONLY_DECLARED,
  client: 'a-',
  server: '-A',
  values: (given) => ({
    a: declaring(capabilities, 'tools/call', { name: given.tool.name, arguments: given.tool.arguments })(given),
    A: noTask('a'),
  }),
}));

const idsOf = (observed: Observed): string[] =>
  responsesOf(observed).flatMap(({ result: outcome }) => {
    const { resultType, taskId } = toObject(outcome);
    return resultType === 'task' && typeof taskId === 'string' ? [taskId] : [];
  });

/** Characters of base64 with 64 bits. */
const MIN_CHARS = 11;

/** What is wrong with ids that nobody may guess: they differ in too little. */
const guessFault = (ids: readonly string[]): string | undefined => {
  if (new Set(ids).size < ids.length) return `ids of tasks repeat: ${short(ids)}`;
  const [first = ''] = ids;
  const [head, tail] = [first, [...first].reverse().join('')].map((text, at) => {
    const others = ids.map((id) => (at === 0 ? id : [...id].reverse().join('')));
    return [...text].findIndex((letter, place) => others.some((id) => id[place] !== letter));
  });
  const differing = first.length - (head ?? 0) - (tail ?? 0);
  return differing >= MIN_CHARS ? undefined : `ids of tasks differ in ${differing} characters only: ${short(ids)}`;
};

const many = (count: number): Pick<ConformCase, 'client' | 'server' | 'values'> => {
  const letters = [...'abcdefghklmnoqrtuvwx'].slice(0, count);
  const row = letters.join('');
  return {
    client: `(${row})-`,
    server: `${'-'.repeat(row.length + 2)}(${row.toUpperCase()})`,
    values: (given) =>
      Object.fromEntries(
        letters.flatMap((letter) => [
          [letter, call(given)],
          [letter.toUpperCase(), created(letter, `$${letter}`)],
        ]),
      ),
  };
};

/** The cases of this file. */
export const CREATED_TASKS: readonly ConformCase[] = [
  {
    id: 'tasks-create',
    level: 'MUST',
    ...RUNNING,
    section: 'polymorphic-results',
    sentence: 'Servers MUST set resultType to "task" when returning a CreateTaskResult',
    ...whenCreated('', '', () => ({})),
  },
  {
    id: 'tasks-create-flat',
    level: 'SHOULD',
    ...RUNNING,
    section: 'task-creation',
    sentence: 'The embedded task is the seed state for the task',
    client: 'a-',
    server: '-A',
    values: (given) => ({
      a: call(given),
      A: result('a', ({ result: outcome }) => {
        const extra = ['result', 'error', 'inputRequests', 'task'].find((name) => name in toObject(outcome));
        return extra && `it has the member ${extra}`;
      }),
    }),
  },
  ...notDeclared,
  {
    id: 'tasks-create-undeclared-later',
    level: 'MUST',
    ...RUNNING,
    section: 'capability-negotiation',
    sentence: ONLY_DECLARED,
    ...whenCreated('a-', '-A', (given) => ({
      a: declaring({}, 'tools/call', { name: given.tool.name, arguments: given.tool.arguments })(given),
      A: noTask('a'),
    })),
  },
  {
    id: 'tasks-create-declared-later',
    level: 'MUST',
    ...RUNNING,
    section: 'capability-negotiation',
    sentence: 'The server is the sole decider; clients do not signal task preference on the request itself.',
    client: 'a-t-g-',
    server: '-A-T-G',
    values: (given) => ({
      a: declaring({}, 'tools/list', {})(given),
      A: response('a'),
      t: call(given),
      T: created('t'),
      g: of(given, 'tasks/get'),
      G: task('g'),
    }),
  },
  {
    id: 'tasks-create-more-members',
    level: 'ROBUSTNESS',
    ...RUNNING,
    section: 'capability-negotiation',
    sentence: 'The member `task` of 2025-11-25 is left alone.',
    client: 'a-',
    server: '-A',
    values: ({ request, tool }) => ({
      a: request('tools/call', { name: tool.name, arguments: tool.arguments, task: { ttl: 60_000 } }),
      A: result('a'),
    }),
  },
  {
    id: 'tasks-create-durable',
    level: 'MUST',
    ...RUNNING,
    section: 'task-creation',
    sentence:
      'A server MUST NOT return CreateTaskResult until the task is durably created — that is, until a tasks/get for the returned taskId would resolve.',
    ...whenCreated('g-', '-G', (given) => ({ g: of(given, 'tasks/get'), G: task('g') })),
  },
  {
    id: 'tasks-create-many',
    level: 'MUST',
    ...RUNNING,
    section: 'tasks',
    sentence: 'Each task is uniquely identifiable by a server-generated task ID.',
    ...many(12),
    judge: (observed) => {
      const ids = idsOf(observed);
      return new Set(ids).size === ids.length ? undefined : `ids of tasks repeat: ${short(ids)}`;
    },
  },
  {
    id: 'tasks-ids-unguessable',
    level: 'MUST',
    ...RUNNING,
    section: 'security-considerations',
    sentence: 'Servers MUST generate them with sufficient entropy that a third party cannot enumerate or guess them.',
    ...many(16),
    judge: (observed) => guessFault(idsOf(observed)),
  },
  {
    id: 'tasks-ids-fit-headers',
    level: 'ROBUSTNESS',
    ...RUNNING,
    section: 'streamable-http-routing-headers',
    sentence: 'An id is visible ASCII, as it must fit the header Mcp-Name.',
    ...whenCreated('', '', () => ({})),
    judge: (observed) => {
      const odd = idsOf(observed).find((id) => !/^[\x21-\x7e]{1,256}$/.test(id));
      return odd && `the id is ${short(odd)}`;
    },
  },
];
