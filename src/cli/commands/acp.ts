/** `codex-rx acp`: serves the agent over the Agent Client Protocol on the standard streams. */
import { lazy } from '../../streams/lazy';
import { defineCommand } from '../command';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { problemOfServer, SERVE_OPTIONS } from '../serve/options';
import { serveProcess } from '../serve/serveProcess';

/** The options that only a client of MCP has, with what they are for a client of ACP. */
export const OF_MCP = {
  face: 'union',
  events: 'none',
  'thread-id-in-text': 'never',
  'task-after': 'never',
  'tasks-outlive': 0,
  'offer-tapes': undefined,
} as const;

const OPTIONS = Object.fromEntries(
  Object.entries(SERVE_OPTIONS).filter(([name]) => !Object.hasOwn(OF_MCP, name)),
) as Omit<typeof SERVE_OPTIONS, keyof typeof OF_MCP>;

export const acp = defineCommand({
  usage: '$0 acp [OPTIONS]',
  positionals: {},
  options: { ...OPTIONS, login: { type: 'boolean', describe: 'Log in instead, in this terminal' } },
  afterDashes: 'nothing',
  examples: [
    ['$0 acp', 'what an editor runs'],
    ['$0 acp -s read-only --lock', 'sessions may only be stricter, and stay in this folder'],
    ['$0 acp --login', 'what an editor runs in a terminal when you log in'],
  ],
  problem: problemOfServer,
  run: ({ login: isLogin, ...given }) => {
    if (isLogin) return logIn();
    serveProcess({ ...given, ...OF_MCP }, 'acp');
  },
});

/** Loaded by --login, as start-up time counts. */
const loginCommand = lazy(() => require('./login') as typeof import('./login'));

/** Without a terminal nobody sees the page to open, and the login would wait for minutes. */
const logIn = (): void => {
  if (!process.stdin.isTTY && !process.stderr.isTTY) {
    remarkAs('acp')('--login needs a terminal; run codex-rx login in one, or set OPENAI_API_KEY for the agent');
    process.exitCode = exitCode.unusable;
    return;
  }
  const prepared = loginCommand().login.prepare([]);
  if (prepared.kind === 'ready') prepared.run();
};
