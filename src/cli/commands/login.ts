/** `codex-rx login` and `logout`: logs in, shows who is logged in, and forgets the login. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { concatMap, from, map, type Observable, reduce } from 'rxjs';
import { preferredLogin } from '../../agent/wiring/wiring';
import type { LoginEvent } from '../../settings/auth/browserLogin';
import { isIssuer } from '../../settings/auth/tokenRequest';
import { accountsHere, loginHere, startLogin } from '../../settings/logins/accountsHere';
import { reasonOf } from '../../streams/text/reasons';
import { toVisible } from '../../streams/text/visible';
import { defineCommand } from '../command';
import { plainOptions } from '../commonOptions';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

const remark = remarkAs('login');

export const login = defineCommand({
  usage: '$0 login [status] [--api-key | --device]',
  positionals: { action: { type: 'string', choices: ['status'], describe: 'status: show who is logged in instead' } },
  options: {
    'api-key': {
      type: 'boolean',
      describe: 'Store a key of the OpenAI API, read from standard input; a terminal asks for it, and shows nothing',
    },
    device: { type: 'boolean', describe: 'Log in with a code that you type in on another device' },
    json: { type: 'boolean', describe: 'Print the status as JSON' },
    issuer: { type: 'string', describe: 'Address of the server to log in at. Default: OpenAI' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 login', 'with a ChatGPT account, in the browser of this machine'],
    ['$0 login --device', 'the same from a machine without a browser'],
    ['printenv OPENAI_API_KEY | $0 login --api-key', 'with a key'],
    ['$0 login status --json', 'who is logged in, for a program'],
  ],
  problem: ({ action, device, json, issuer, 'api-key': key }) => {
    if (action === undefined && json) return '--json is for: login status';
    if (device && key) return 'Give --api-key or --device, not both';
    return issuer === undefined || isIssuer(issuer)
      ? undefined
      : '--issuer must be an address that begins with https://, or lead to this machine';
  },
  run: ({ action, device, json, issuer, 'api-key': key }) => {
    const processInfo = thisProcess();
    const here = { processInfo, ...(issuer !== undefined && { issuer }) };
    if (action === 'status') return showStatus(here, json);
    if (key) return keepKey(here);
    const event$ = startLogin({ ...here, method: device ? 'device' : 'browser' });
    event$.subscribe({ next: show, error: fail }).add(exitWhenWritten('login'));
  },
});

export const logout = defineCommand({
  usage: '$0 logout',
  positionals: {},
  options: {},
  afterDashes: 'nothing',
  examples: [['$0 logout', 'remove auth.json, the login that an installed Codex uses too']],
  run: () => {
    try {
      const isDone = accountsHere({ processInfo: thisProcess() }).logout();
      print(`${isDone ? 'Logged out.' : 'Nobody was logged in.'}\n`);
    } catch (error) {
      remarkAs('logout')(reasonOf(error));
      process.exitCode = exitCode.failed;
    }
    exitWhenWritten('logout')();
  },
});

type Here = Parameters<typeof accountsHere>[0] & Pick<Parameters<typeof preferredLogin>[0], 'processInfo'>;

const keepKey = (here: Here): void => {
  readKey(process.stdin.isTTY ? hiddenLine(process) : process.stdin)
    .pipe(
      concatMap((key) => {
        accountsHere(here).saveKey(key);
        return ['The key is kept. Logged in with an API key.'];
      }),
    )
    .subscribe({ next: (text) => print(`${text}\n`), error: fail })
    .add(exitWhenWritten('login'));
};

const fail = ({ message }: Error): void => {
  remark(message);
  process.exitCode = exitCode.failed;
};

/** What a person reads; what has to be done goes to stderr. */
const show = (event: LoginEvent): void => {
  if (event.kind === 'loggedIn') {
    print(`Logged in with ChatGPT${event.claims.email ? ` as ${toVisible(event.claims.email)}` : ''}.\n`);
    return;
  }
  const minutes = Math.round(event.limitMs / 60_000);
  const code = event.userCode === undefined ? [] : [`and enter this code: ${toVisible(event.userCode)}`];
  const warning = event.userCode === undefined ? [] : ['Nobody else may ask you for this code.'];
  const lines = [`Open this page within ${minutes} minutes:`, '', `  ${toVisible(event.url)}`, '', ...code, ...warning];
  print(`${lines.join('\n')}\n`, process.stderr);
};

const showStatus = (here: Here, json: boolean | undefined): void => {
  const { login, source } = loginHere({ ...here, preferred: () => preferredLogin({ ...here, options: plainOptions }) });
  const { email, plan } = login.kind === 'chatgpt' ? login.tokens.claims : {};
  const method = login.kind === 'none' ? null : login.kind;
  const status = { loggedIn: method !== null, method, source, email, plan };
  const text = {
    none: 'Not logged in. Log in: codex-rx login',
    apikey: `Logged in with an API key${source === 'OPENAI_API_KEY' ? ', by the variable OPENAI_API_KEY' : ''}.`,
    chatgpt: `Logged in with ChatGPT${email ? ` as ${toVisible(email)}` : ''}${plan ? ` (${toVisible(plan)})` : ''}.`,
  }[login.kind];
  print(`${json ? JSON.stringify(status) : text}\n`);
  process.exitCode = status.loggedIn ? exitCode.ok : exitCode.failed;
  exitWhenWritten('login')();
};

/** One line that a person types in a terminal, of which nothing is shown. Ctrl-D ends it without a key, Ctrl-C the command. */
async function* hiddenLine({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>): AsyncGenerator<Buffer> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output, terminal: true });
  print('API key (it is not shown): ', stderr); // nothing is shown from now on
  terminal.on('SIGINT', () => {
    terminal.close();
    print('\n', stderr);
    process.kill(process.pid, 'SIGINT');
  });
  try {
    for await (const line of terminal) {
      yield Buffer.from(line);
      return;
    }
  } finally {
    terminal.close();
    print('\n', stderr);
  }
}

/** Reads a key from a stream, such as standard input. Own code: `node:stream/consumers` reads without a limit. */
const MAX_CHARS = 10_000;

/** Emits the key, without white space around it. Errors if there is none, or more than one line. */
export const readKey = (input: AsyncIterable<Buffer>): Observable<string> =>
  from(input).pipe(
    reduce((text, part) => (text + part.toString()).slice(0, MAX_CHARS), ''),
    map((text) => {
      const key = text.trim();
      if (key === '')
        throw new Error('there is no key on standard input: printenv OPENAI_API_KEY | codex-rx login --api-key');
      if (/\s/.test(key)) throw new Error('standard input holds more than a key; send the key alone');
      return key;
    }),
  );
