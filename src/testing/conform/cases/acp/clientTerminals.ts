/** Cases of an agent that runs commands in terminals of its client: they run if a `--prompt` makes it do so. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { answer, notification, refusal } from '../../../messages';
import { clientSide, TERMINAL } from '../../clientSide';
import type { ConformCase, Given, Observed } from '../../conformCase';
import { asked, REPLIES, response, short } from '../../expecting';
import { messagesOf } from '../../observed';
import { SESSION } from '../../speaking';
import { ask, ended, stopped } from './prompts';
import { AGENT } from './row';

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

/** All of them. */
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
