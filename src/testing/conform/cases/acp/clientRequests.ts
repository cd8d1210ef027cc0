/** Cases of an agent that reads and writes files of its client, and runs commands in its terminals: they run if a `--prompt` makes it do so. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { answer, type Message, notification, refusal } from '../../../messages';
import { clientSide, TERMINAL } from '../../clientSide';
import type { ConformCase, Given, Observed } from '../../conformCase';
import { asked, REPLIES, response, short } from '../../expecting';
import type { Need } from '../../needs';
import { messagesOf } from '../../observed';
import { SESSION } from '../../speaking';
import { ask, ended, stopped } from './prompts';
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

/** The cases of files. */
export const CLIENT_FILES: readonly ConformCase[] = [...used, ...undeclared];

const created = () =>
  asked('terminal/create', ({ params }) => {
    const { sessionId, command, cwd = null } = toObject(params);
    if (typeof sessionId !== 'string') return 'it has no sessionId';
    if (typeof command !== 'string' || command === '') return `its command is ${short(command)}`;
    return cwd === null || /^(?:\/|\\\\|[A-Za-z]:[\\/])/.test(String(cwd)) ? undefined : `its cwd is ${short(cwd)}`;
  });

const USES = { ...AGENT, needs: ['terminals'], capabilities: { terminal: true } } satisfies Partial<ConformCase>;

/** The prompt `a`, the terminal `T` that the agent wants, which it gets, and the end of the turn. */
const commanded = (isLong: boolean) => ({
  client: isLong ? 'a-(yc)-' : 'a-y-',
  server: isLong ? '-T----A' : '-T-A',
  clientSide: clientSide(isLong ? { isLong } : {}),
  values: (given: Given) => ({
    a: ask(given),
    T: created(),
    y: answer('T', { terminalId: TERMINAL }),
    c: notification('session/cancel', { sessionId: SESSION }),
    A: isLong ? stopped('a', (reason) => reason === 'cancelled') : ended('a'),
  }),
});

/** Each terminal is released. */
const unreleased = (observed: Observed): string | undefined => {
  const sent = messagesOf(observed, 'out');
  const released = new Set(
    sent.filter(({ method }) => method === 'terminal/release').map(({ params }) => toObject(params).terminalId),
  );
  const made = messagesOf(observed, 'in').map(({ result }) => toObject(result).terminalId);
  const left = made.filter((id) => typeof id === 'string' && !released.has(id));
  return left.length === 0 ? undefined : `the terminal ${short(left[0])} is not released`;
};

const RELEASE = {
  level: 'MUST',
  section: 'terminals#executing-commands',
  sentence: "The Agent MUST release the terminal using terminal/release when it's no longer needed.",
} as const;

/** The cases of terminals. */
export const CLIENT_TERMINALS: readonly ConformCase[] = [
  {
    id: 'acp-terminal',
    level: 'MUST',
    ...USES,
    section: 'terminals#executing-commands',
    sentence: 'The terminal/create method starts a command in a new terminal:',
    ...commanded(false),
  },
  { id: 'acp-terminal-release', ...RELEASE, ...USES, ...commanded(false), judge: unreleased },
  {
    id: 'acp-terminal-cancel',
    level: 'MUST',
    ...USES,
    section: 'prompt-turn#cancellation',
    sentence: 'the Agent MUST respond to the original session/prompt request with the cancelled stop reason.',
    ...commanded(true),
  },
  { id: 'acp-terminal-cancel-release', ...RELEASE, ...USES, ...commanded(true), judge: unreleased },
  {
    id: 'acp-terminal-undeclared',
    level: 'MUST',
    ...USES,
    section: 'terminals#checking-support',
    sentence: 'If terminal is false or not present, the Agent MUST NOT attempt to call any terminal methods.',
    capabilities: {},
    client: 'a-',
    server: '-A',
    clientSide: clientSide(),
    values: (given) => ({ a: ask(given), A: response('a') }),
    judge: (observed) => {
      const found = messagesOf(observed, 'out').find(({ method }) => /^terminal\//.test(String(method)));
      return found && `it sends ${found.method}, but the client has not declared terminals`;
    },
  },
  {
    ...REPLIES,
    id: 'acp-terminal-fails',
    level: 'ROBUSTNESS',
    ...USES,
    sentence: 'A terminal that the client cannot give is no reason for silence.',
    ...commanded(false),
    values: (given) => ({
      a: ask(given),
      T: created(),
      y: refusal('T', -32_603, 'It failed'),
      A: response('a'),
    }),
  },
];
