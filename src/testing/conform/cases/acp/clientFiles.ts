/** Cases of an agent that reads and writes files of its client: they run if a `--prompt` makes it do so. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { answer, type Message, refusal } from '../../../messages';
import { clientSide } from '../../clientSide';
import type { ConformCase, Given, Observed } from '../../conformCase';
import { asked, REPLIES, response, short } from '../../expecting';
import type { Need } from '../../needs';
import { messagesOf } from '../../observed';
import { ask, ended } from './prompts';
import { AGENT } from './row';

const [READ, WRITE] = ['fs/read_text_file', 'fs/write_text_file'];

/** A path of any system. */
const ABSOLUTE = /^(?:\/|\\\\|[A-Za-z]:[\\/])/;

/** What is wrong with the params of such a request. */
const faultOf = ({ method, params }: Readonly<Record<string, unknown>>): string | undefined => {
  const { sessionId, path, content, line = null, limit = null } = toObject(params);
  if (typeof sessionId !== 'string') return 'it has no sessionId';
  if (typeof path !== 'string' || !ABSOLUTE.test(path)) return `its path is ${short(path)}`;
  if (method === WRITE) return typeof content === 'string' ? undefined : `its content is ${short(content)}`;
  if (line !== null && !(Number.isInteger(line) && Number(line) > 0)) return `its line is ${short(line)}`;
  return limit === null || (Number.isInteger(limit) && Number(limit) >= 0) ? undefined : `its limit is ${short(limit)}`;
};

/** The prompt `a`, the request of the agent `F`, and the answer of the client to it. */
const whenUsed = (method: string, y: Message, A = ended('a')) => ({
  client: 'a-y-',
  server: '-F-A',
  clientSide: clientSide(),
  values: (given: Given) => ({ a: ask(given), F: asked(method, faultOf), y, A }),
});

const used: readonly ConformCase[] = (
  [
    [
      'read',
      READ,
      'readsFiles',
      { content: 'one\ntwo\n' },
      'The fs/read_text_file method allows Agents to read text file contents from the Client’s filesystem',
    ],
    [
      'write',
      WRITE,
      'writesFiles',
      {},
      'The fs/write_text_file method allows Agents to write or update text files in the Client’s filesystem.',
    ],
  ] as const
).flatMap(([kind, method, need, done, sentence]): ConformCase[] => [
  {
    id: `acp-fs-${kind}`,
    level: 'MUST',
    ...AGENT,
    section: kind === 'read' ? 'file-system#reading-files' : 'file-system#writing-files',
    sentence: sentence.replace('’', "'"),
    needs: [need],
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    ...whenUsed(method, answer('F', done)),
  },
  {
    ...REPLIES,
    id: `acp-fs-${kind}-fails`,
    level: 'ROBUSTNESS',
    ...AGENT,
    sentence: 'A file that the client cannot give is no reason for silence.',
    needs: [need],
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    ...whenUsed(method, refusal('F', -32_603, 'It failed'), response('a')),
  },
]);

/** No request by one of these methods. */
const without =
  (...methods: readonly string[]) =>
  (observed: Observed): string | undefined => {
    const found = messagesOf(observed, 'out').find(({ method }) => methods.includes(String(method)));
    return found && `it sends ${found.method}, but the client has not declared it`;
  };

const undeclared: readonly ConformCase[] = (
  [
    ['undeclared', 'readsFiles', {}, [READ, WRITE]],
    ['undeclared-write', 'writesFiles', {}, [READ, WRITE]],
    ['read-only', 'writesFiles', { fs: { readTextFile: true, writeTextFile: false } }, [WRITE]],
    ['write-only', 'readsFiles', { fs: { readTextFile: false, writeTextFile: true } }, [READ]],
  ] satisfies [string, Need, object, string[]][]
).map(([kind, need, capabilities, methods]) => ({
  id: `acp-fs-${kind}`,
  level: 'MUST',
  ...AGENT,
  section: 'file-system#checking-support',
  sentence:
    'If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.',
  needs: [need],
  capabilities,
  client: 'a-',
  server: '-A',
  clientSide: clientSide(),
  values: (given) => ({ a: ask(given), A: response('a') }),
  judge: without(...methods),
}));

/** All of them. */
export const CLIENT_FILES: readonly ConformCase[] = [...used, ...undeclared];
