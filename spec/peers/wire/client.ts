/** The client of a scenario: it writes, takes messages as they come, and answers requests of the server. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../support/daemon/peer';
import type { Answer, Match } from './scenario';

export type Client = {
  child: ChildProcessWithoutNullStreams;
  /** Every message of the server, in order. */
  messages: Json[];
  write: (text: string | Buffer) => void;
  /** The first message that fits and was not taken before; undefined when none comes in time, or the program ends. */
  take: (match: Match, withinMs: number) => Promise<Json | undefined>;
  /** Whether the program ends in time. */
  ended: (withinMs: number) => Promise<boolean>;
  /** Ends the program and lets go of its pipes, which what it started may still have open. */
  close: () => void;
};

const fits = (message: Json, match: Match): boolean => {
  if ('response' in match) return message.id === match.response && ('result' in message || 'error' in message);
  if ('request' in match) return message.method === match.request && 'id' in message;
  if ('event' in match) return (message.params?.msg ?? message.msg)?.type === match.event;
  return message.method === match.method;
};

const asMessage = (line: string): Json => {
  try {
    return JSON.parse(line);
  } catch {
    return { line };
  }
};

/** Answers a request with the first planned answer that is for it. */
const answering = (answers: Answer[], write: Client['write']) => {
  const left = [...answers];
  return async (request: Json): Promise<void> => {
    const at = left.findIndex(({ method }) => method === undefined || method === request.method);
    const [plan] = at < 0 ? [] : left.splice(at, 1);
    if (plan === undefined || plan.ignore) return;
    await sleep(plan.delay ?? 0);
    const { result, error } = plan;
    write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...(error ? { error } : { result }) })}\n`);
  };
};

type Where = { cwd: string; env: Record<string, string> };

export const connect = ([program = '', ...args]: string[], { cwd, env }: Where, answers: Answer[]): Client => {
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  const messages: Json[] = [];
  const taken = new Set<Json>();
  const wakes = new Set<() => void>();
  const wake = () => {
    for (const one of wakes) one();
  };
  const write = (text: string | Buffer) => void (child.stdin.writable && child.stdin.write(text));
  const answer = answering(answers, write);
  child.stderr.resume();
  for (const stream of [child.stdin, child.stdout, child]) stream.on('error', wake); // a pipe that the program closed
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  child.on('close', wake);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = asMessage(line);
    messages.push(message);
    if (typeof message.method === 'string' && 'id' in message) void answer(message);
    wake();
  });
  /** Waits for `found`, which is asked again whenever something comes. */
  const until = async <T>(found: () => T | undefined, withinMs: number): Promise<T | undefined> => {
    const end = Date.now() + withinMs;
    for (;;) {
      const one = found();
      const leftMs = end - Date.now();
      if (one !== undefined || leftMs <= 0) return one;
      await new Promise<void>((awake) => {
        const done = () => {
          clearTimeout(timer);
          wakes.delete(done);
          awake();
        };
        const timer = setTimeout(done, leftMs);
        wakes.add(done);
      });
    }
  };
  const take: Client['take'] = async (match, withinMs) => {
    const next = () => messages.find((message) => !taken.has(message) && fits(message, match));
    const message = await until(() => next() ?? (hasEnded() ? null : undefined), withinMs);
    if (message === null || message === undefined) return undefined;
    taken.add(message);
    return message;
  };
  const ended = async (withinMs: number) => (await until(() => hasEnded() || undefined, withinMs)) === true;
  const close = () => {
    child.kill('SIGKILL');
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  };
  return { child, messages, write, take, ended, close };
};
