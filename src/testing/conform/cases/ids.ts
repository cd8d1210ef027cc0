/** Cases of ids: a response repeats what its request had. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import type { ConformCase } from '../conformCase';
import { isErrorWithoutId, outlives, result, sends } from '../expecting';

const SAME_ID = 'Result responses MUST include the same ID as the request they correspond to.';

/** Ids that a response repeats, as they are. */
const ids: readonly ConformCase[] = Object.entries({
  'id-zero': 0,
  'id-negative': -7,
  'id-large': Number.MAX_SAFE_INTEGER,
  'id-text': 'own',
  'id-empty-text': '',
  'id-numeral': '7',
  'id-long-text': 'x'.repeat(1000),
  'id-unicode': 'ü 🦀 "\\\n',
}).map(([name, id]) => ({
  id: name,
  level: 'MUST',
  revisions: SUPPORTED_VERSIONS,
  section: 'basic#result-responses',
  sentence: SAME_ID,
  ...sends(({ probe }) => ({ ...probe(), id }), result('a')),
}));

/** Ids that no client sends, and that a server outlives. */
const oddIds: readonly ConformCase[] = Object.entries({
  'id-null': 'null',
  'id-fraction': '1.5',
  'id-boolean': 'true',
  'id-array': '[1]',
  'id-object': '{"a":1}',
  'id-int64': '9223372036854775807',
}).map(([name, id]) => ({
  id: name,
  level: 'ROBUSTNESS',
  revisions: SUPPORTED_VERSIONS,
  section: 'basic#requests',
  sentence: 'A request with an id that is none does not end the server.',
  ...outlives(({ probe }) => JSON.stringify({ ...probe(), id: 'ID' }).replace('"ID"', id)),
  may: (value) =>
    isErrorWithoutId(value) || (!('method' in toObject(value)) && !/^\d$/.test(String(toObject(value).id))),
}));

/** The cases of this file. */
export const IDS: readonly ConformCase[] = [
  ...ids,
  {
    id: 'id-kinds-kept-apart',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic#result-responses',
    sentence: SAME_ID,
    client: '(ab)-',
    server: '----(AB)',
    values: ({ probe }) => ({ a: { ...probe(), id: 77 }, A: result('a'), b: { ...probe(), id: '77' }, B: result('b') }),
  },
  ...oddIds,
];
