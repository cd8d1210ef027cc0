/** The ways to log in. */
import { AUTH_REQUIRED, type ClientCapabilities } from '../../protocol/acp/acp';

/** Logs in at ChatGPT; the client opens the page. */
export const CHATGPT = 'chatgpt';
/** Uses a login that is there: a key in the environment, or the login of an installed Codex. */
export const PRESENT = 'present';

/** Uses a server of models that the client brings. */
export const GATEWAY = 'gateway';

/** The error of a request that needs a login. */
export const NO_LOGIN = {
  code: AUTH_REQUIRED,
  message: 'Authentication required: there is no login; run codex-rx login, or set OPENAI_API_KEY',
};

/** The methods that `authenticate` takes. */
export const METHODS_OF_LOGIN: readonly string[] = [CHATGPT, PRESENT, GATEWAY];

const OF_GATEWAY = {
  id: GATEWAY,
  name: 'Use the models of the editor',
  description: 'Sessions ask a server that the editor names, with a key of the editor',
  _meta: { gateway: { protocol: 'openai', restartRequired: 'false' } },
};

/** The methods for a client: what it cannot show is not offered. */
export const toAuthMethods = ({ urls, terminalLogin, gateway }: ClientCapabilities) => [
  ...(urls
    ? [{ id: CHATGPT, name: 'Log in with ChatGPT', description: 'Opens the page of OpenAI at which you log in' }]
    : []),
  ...(terminalLogin
    ? [
        {
          id: 'terminal',
          name: 'Log in in a terminal',
          description: 'With a ChatGPT account or an API key',
          type: 'terminal',
          args: ['--login'],
        },
      ]
    : []),
  ...(gateway ? [OF_GATEWAY] : []),
  {
    id: PRESENT,
    name: 'Use the login of this machine',
    description: 'After `codex-rx login` or `codex login`, or with OPENAI_API_KEY in the environment of the agent',
  },
];
