/** Cases of many requests at once, and of batches. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { BATCH_VERSION, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { ACP_1, type ConformCase, type Given, type Observed } from '../conformCase';
import { awaited, isErrorWithoutId, outlives, REPLIES, response, result, short } from '../expecting';
import { responsesOf } from '../observed';
import { line } from './framing';

/** What is wrong with responses to the requests with these ids: one for each, each a result. */
const oneFor = (observed: Observed, ids: readonly string[]): string | undefined => {
  const due = new Set<unknown>(ids);
  const got = responsesOf(observed).filter(({ id }) => due.has(id));
  const failed = got.find((one) => !('result' in one));
  if (failed !== undefined) return `a result is due, but it is ${short(failed)}`;
  const answered = new Set(got.map(({ id }) => id));
  const missing = ids.filter((id) => !answered.has(id));
  return missing.length === 0
    ? undefined
    : `${missing.length} of ${ids.length} requests have no response, the first of them ${missing[0]}`;
};

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `many-${at}`);
const isMany = (value: unknown): boolean => String(toObject(value).id).startsWith('many-');

/** How often the client asks whether the server lives, while responses are missing. */
const MAX_PROBES = 30;

/** The answer to the probe once all responses have come: they come in any order, and a server drops what is open when its input ends. */
const afterAll = ({ revision }: Given, count: number) => {
  let probes = 0;
  return awaited(revision === ACP_1 ? response('p') : result('p'), (_, others) => {
    probes += 1;
    return others < count && probes < MAX_PROBES;
  });
};

const pipelined: readonly ConformCase[] = (
  [
    [100, 'MUST'],
    [1000, 'MUST'],
    [10_000, 'ROBUSTNESS'],
  ] as const
).map(([count, level]) => ({
  id: `pipelined-${count}`,
  level,
  revisions: SUPPORTED_VERSIONS,
  section: REPLIES.section,
  sentence: level === 'MUST' ? REPLIES.sentence : 'Ten thousand requests at once all have a response.',
  client: 'ap-',
  server: '--P',
  values: (given) => ({
    a: idsOf(count)
      .map((id) => line(given, id))
      .join('\n'),
    P: afterAll(given, count),
  }),
  may: isMany,
  judge: (observed) => oneFor(observed, idsOf(count)),
}));

const inBatch = (value: unknown): boolean => Array.isArray(value) || isMany(value) || isErrorWithoutId(value);
const batch = (given: Given, count: number): string =>
  `[${idsOf(count)
    .map((id) => line(given, id))
    .join(',')}]`;

/** The cases of this file. */
export const LOAD: readonly ConformCase[] = [
  ...pipelined,
  {
    id: 'batch',
    level: 'MUST',
    revisions: [BATCH_VERSION],
    section: 'basic#batching',
    sentence: 'MCP implementations MAY support sending JSON-RPC batches, but MUST support receiving JSON-RPC batches.',
    ...outlives((given) => batch(given, 3)),
    may: inBatch,
    judge: (observed) => oneFor(observed, idsOf(3)),
  },
  {
    id: 'batch-of-notifications',
    level: 'MUST',
    revisions: [BATCH_VERSION],
    section: 'https://www.jsonrpc.org/specification#batch',
    sentence: 'the server MUST NOT return an empty Array and should return nothing at all.',
    ...outlives(() => '[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","method":"notifications/y"}]'),
  },
  {
    id: 'batch-survives',
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: 'The server goes on after a batch, which most revisions do not have.',
    ...outlives((given) => batch(given, 2)),
    may: inBatch,
  },
  {
    id: 'batch-empty-survives',
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: 'https://www.jsonrpc.org/specification#batch',
    sentence: 'The server goes on after an empty batch.',
    ...outlives(() => '[]'),
    may: (value) => isErrorWithoutId(value) || Array.isArray(value),
  },
];
