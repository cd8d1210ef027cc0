/** Owns a real exec-server as its client sees it. */
import { spawn } from 'node:child_process';
import { commandLine, type Ending, type Json } from '../daemon/peer';
import { demand } from '../needs/needs';
import { until } from '../processes';

/** Starts an exec-server and does the handshake; `notes` collects its notifications. */
export const startExecServer = async (...args: string[]) => {
  const [program, argv] = commandLine('exec-server', ...args);
  const child = spawn(program, argv, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, EXEC_TOKEN: 'hidden' },
  });
  const answers = new Map<number, (answer: Json) => void>();
  const notes: Json[] = [];
  const answered = new Map<number, number>();
  let rest: Buffer[] = [];
  let lastId = 0;
  const receive = (line: Buffer) => {
    const message = JSON.parse(line.toString()) as Json;
    if (message.id === undefined) notes.push(message);
    else {
      answered.set(message.id, notes.length);
      answers.get(message.id)?.(message);
    }
  };
  child.stdin.on('error', () => {});
  child.stdout.on('data', (bytes: Buffer) => {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      receive(Buffer.concat([...rest, bytes.subarray(from, at)]));
      rest = [];
      from = at + 1;
    }
    rest.push(bytes.subarray(from));
  });
  const ended = new Promise<Ending>((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  const call = (method: string, params: Json = {}): Promise<Json> =>
    new Promise((resolve) => {
      lastId += 1;
      answers.set(lastId, resolve);
      child.stdin.write(`${JSON.stringify({ id: lastId, method, params })}\n`);
    });
  const start = async (processId: string, script: string, own: Json = {}) => {
    if (own.tty) demand('terminal');
    return call('process/start', {
      processId,
      argv: ['/bin/sh', '-c', script],
      cwd: '/tmp',
      env: { PATH: '/usr/bin:/bin' },
      tty: false,
      ...own,
    });
  };
  const of = (processId: string) => notes.filter(({ params }) => params.processId === processId);
  const textOf = (processId: string, stream = 'stdout') =>
    Buffer.concat(
      of(processId)
        .filter(({ params }) => params.stream === stream)
        .map(({ params }) => Buffer.from(params.chunk, 'base64')),
    ).toString();
  const closed = (processId: string) =>
    until(() => of(processId).some(({ method }) => method === 'process/closed'), `the close of ${processId}`);
  const early = ended.then(() => {
    throw new Error(`the exec-server ended: ${program} ${argv.join(' ')}`);
  });
  await Promise.race([call('initialize', { clientName: 'spec' }), early]);
  child.stdin.write('{"method":"initialized"}\n');
  return {
    child,
    notes,
    notesBefore: (id: number) => notes.slice(0, answered.get(id)),
    call,
    start,
    of,
    textOf,
    closed,
    ended,
  };
};
