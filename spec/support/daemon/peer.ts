/** Owns a real server process as its client sees it: lines in, lines out, how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { type Home, openHome, removeHomes } from '../home';
import { differenceOf, type Rerun, tapeForRerun } from './checkedByRerun';

/** A JSON-RPC message, or a part of one. */
// biome-ignore lint/suspicious/noExplicitAny: specs look into messages at any depth
export type Json = Record<string, any>;

export type Ending = { code: number | null; signal: NodeJS.Signals | null };

export type Peer = {
  child: ChildProcess;
  home: Home;
  /** Every line of stdout so far, and what stands after the last newline. */
  lines: string[];
  rest: () => string;
  /** The lines as messages. */
  messages: Json[];
  stderr: () => string;
  sendText: (text: string) => void;
  send: (...messages: Json[]) => void;
  /** Sends a request and waits for its answer. */
  request: (method: string, params?: Json, id?: number | string) => Promise<Json>;
  /** The first message that fits and was not taken before; waits for it. */
  next: (fits: (message: Json) => boolean, what: string) => Promise<Json>;
  nextOf: (method: string) => Promise<Json>;
  /** The event of this type inside `codex/event`. */
  nextEvent: (type: string) => Promise<Json>;
  ended: Promise<Ending>;
  /** Ends the input and waits for the end of the process. */
  end: () => Promise<Ending>;
};

export type Launch = {
  /** `mcp-server` by default. */
  command?: 'mcp-server' | 'acp';
  args?: string[];
  home?: Home;
  env?: Record<string, string>;
  cwd?: string;
  /** Script of the scripted model. */
  script?: object;
  stderr?: 'pipe' | 'unread' | 'closed';
  /** How long a file may become, in blocks of 512 bytes: a longer one fails as on a full disk. */
  maxFileBlocks?: number;
  /** False leaves stdout unread until `child.stdout.resume()`. */
  reads?: boolean;
};

/** The program as a client starts it. */
export const PROGRAM = resolve(__dirname, '../../../bin/codex-rx.js');
const KEPT_CODE = resolve(__dirname, 'keptCode.cjs');
const PATIENCE_MS = 40_000; // less than jest's, so that the spec reports what it waited for
let started = 0;
const running: (Peer & { rerun?: Rerun })[] = [];

/** The command line of a server whose model plays `script`. */
export const scripted = (home: Home, script: object | undefined): string[] =>
  script === undefined
    ? []
    : ['-c', 'model_provider=scripted', '-c', `model_providers.scripted.script=${home.write('script.json', script)}`];

/** Program and arguments that run this project's command line. */
export const commandLine = (...args: string[]): [string, string[]] => [
  process.execPath,
  ['--require', KEPT_CODE, PROGRAM, ...args],
];

const spawnServer = (
  home: Home,
  { command = 'mcp-server', args = [], script, env, cwd, stderr = 'pipe', maxFileBlocks }: Launch,
): ChildProcess => {
  const [program, rest] = commandLine(command, ...scripted(home, script), ...args);
  const options = { env: { ...home.env, ...env }, cwd: cwd ?? home.work, stdio: 'pipe' } as const;
  // A shell closes what Node's spawn can only leave open or send to /dev/null, and sets limits.
  const limit = maxFileBlocks === undefined ? '' : `ulimit -f ${maxFileBlocks}; `;
  return stderr === 'closed' || limit !== ''
    ? spawn(
        '/bin/sh',
        ['-c', `${limit}exec "$@"${stderr === 'closed' ? ' 2>&-' : ''}`, 'sh', program, ...rest],
        options,
      )
    : spawn(program, rest, options);
};

/** Starts `codex-rx mcp-server`. */
export const startServer = (launch: Launch = {}): Peer => {
  const home = launch.home ?? openHome();
  const args = launch.args ?? [];
  const tape = tapeForRerun(home, ++started, args);
  const recorded = tape === undefined ? launch : { ...launch, args: [...args, '--record', tape] };
  const peer = attach(spawnServer(home, recorded), home, launch);
  const rerun = tape && { home, tape, env: launch.env, command: commandLine('rerun', tape) };
  running.push({ ...peer, ...(rerun && { rerun }) });
  return peer;
};

/** Speaks with a process that was started. */
export const attach = (child: ChildProcess, home: Home, { stderr, reads = true }: Launch = {}): Peer => {
  const lines: string[] = [];
  const messages: Json[] = [];
  const taken = new Set<Json>();
  const waiting = new Set<() => void>();
  const sent = { rest: '', stderr: '', ending: undefined as Ending | undefined, nextId: 1 };
  const wake = () => {
    for (const look of [...waiting]) look();
  };

  child.stdin?.on('error', () => {}); // a server that is gone shows in `ended`
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n');
    const pieces = [sent.rest + first, ...more];
    sent.rest = pieces.pop() as string;
    for (const line of pieces) {
      lines.push(line);
      messages.push(toMessage(line));
    }
    if (pieces.length > 0) wake();
  });
  if (!reads) child.stdout?.pause();
  if (stderr !== 'unread') {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      sent.stderr += text;
    });
  }
  const ended = new Promise<Ending>((done) => {
    child.once('close', (code, signal) => {
      sent.ending = { code, signal };
      wake();
      done(sent.ending);
    });
  });

  const story = () =>
    `ended: ${JSON.stringify(sent.ending)}; stderr: ${sent.stderr.slice(-500)}; last lines:\n${lines
      .slice(-8)
      .map((line) => line.slice(0, 300))
      .join('\n')}`;

  const next: Peer['next'] = (fits, what) =>
    new Promise((found, failed) => {
      const settle = (how: () => void) => {
        clearTimeout(late);
        waiting.delete(look);
        how();
      };
      const fail = (why: string) => settle(() => failed(new Error(`${why} for ${what}; ${story()}`)));
      const look = () => {
        const message = messages.find((one) => !taken.has(one) && fits(one));
        if (message) {
          taken.add(message);
          settle(() => found(message));
        } else if (sent.ending) fail('the server ended while the spec waited');
      };
      const late = setTimeout(() => fail(`nothing came in ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
      waiting.add(look);
      look();
    });

  const sendText = (text: string) => void child.stdin?.write(text);
  const send = (...sent: Json[]) =>
    sendText(sent.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  return {
    child,
    home,
    lines,
    rest: () => sent.rest,
    messages,
    stderr: () => sent.stderr,
    sendText,
    send,
    request: (method, params, id = `r${sent.nextId++}`) => {
      send({ id, method, ...(params && { params }) });
      return next((message) => message.id === id && message.method === undefined, `the answer to ${method}`);
    },
    next,
    nextOf: (method) => next((message) => message.method === method, method),
    nextEvent: (type) =>
      next(({ method, params }) => method === 'codex/event' && params.msg.type === type, `the event ${type}`),
    ended,
    end: () => {
      child.stdin?.end();
      return ended;
    },
  };
};

const toMessage = (line: string): Json => {
  try {
    return JSON.parse(line);
  } catch {
    return { broken: line };
  }
};

const isProtocol = (message: Json): boolean =>
  Array.isArray(message)
    ? message.every(isProtocol)
    : message.jsonrpc === '2.0' && (typeof message.method === 'string') !== ('result' in message || 'error' in message);

/** The lines of stdout that are no message of JSON-RPC. */
export const strayLines = ({ messages, lines, rest }: Peer): string[] => [
  ...lines.filter((_, i) => !isProtocol(messages[i] as Json)),
  ...(rest() === '' ? [] : [rest()]),
];

/** After each spec: every server ends, wrote nothing but messages, and its home goes. */
export const endServers = async (): Promise<void> => {
  const peers = running.splice(0);
  for (const { child } of peers) {
    child.stdout?.resume();
    child.stdin?.end();
    const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
    if (child.exitCode === null && child.signalCode === null) await new Promise((done) => child.once('exit', done));
    clearTimeout(late);
  }
  const reruns = peers.flatMap(({ rerun, child }) => (rerun && child.signalCode !== 'SIGKILL' ? [rerun] : []));
  const differences = await Promise.all(reruns.map(differenceOf));
  await removeHomes();
  const different = differences.find((one) => one !== undefined);
  if (different !== undefined) throw new Error(different);
  const strays = peers.filter(({ child }) => child.signalCode !== 'SIGKILL').flatMap(strayLines);
  if (strays.length > 0) throw new Error(`stdout carried what is not a message: ${strays[0]?.slice(0, 300)}`);
};
