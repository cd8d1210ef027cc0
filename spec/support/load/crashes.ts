/** Kills servers in the middle of turns of one thread, again and again, and goes on with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet } from '../daemon/legacy';
import { type Json, type Peer, startServer } from '../daemon/peer';
import { type Home, openHome } from '../home';

/** A turn that takes about 50 ms, so that it can be cut: text, a command, text. */
export const cutScene = {
  when: 'cut',
  answers: [
    {
      items: [
        { text: 'I look into it.', deltas: 8 },
        { call: 'shell', args: { command: ['true'] } },
      ],
      deltaDelayMs: 3,
    },
    { items: [{ text: 'Done.', deltas: 4 }], deltaDelayMs: 3 },
  ],
};

const script = { scenes: [cutScene], otherwise: { items: [{ text: 'You said: {{prompt}}' }] } };

/** The result of a series of crashes. `answered`: prompts whose result came; `kept`: those in the rollout, in order. */
export type Crashes = { answered: string[]; kept: string[]; brokenLines: number; rounds: number };

/** @param random 0 up to 1, decides when each server is killed */
export const crash = async (rounds: number, random: () => number): Promise<Crashes> => {
  const home = openHome();
  const answered: string[] = [];
  let threadId: string | undefined;
  let brokenLines = 0;
  for (let round = 0; round < rounds; round += 1) {
    const peer = startServer({ home, script });
    await greet(peer);
    threadId = await talk(peer, { threadId, round, answered });
    await new Promise((later) => setTimeout(later, random() * 60));
    peer.child.kill('SIGKILL');
    await peer.ended;
    brokenLines += countBroken(home);
  }
  return { answered, kept: promptsIn(home), brokenLines, rounds };
};

type Talk = { threadId: string | undefined; round: number; answered: string[] };

/** One turn that ends, and one that is under way. */
const talk = async (peer: Peer, { threadId, round, answered }: Talk): Promise<string> => {
  const whole = `whole ${round}`;
  const first = await peer.request('tools/call', callOf(peer, whole, threadId), 1);
  if (first.result?.isError) throw new Error(`round ${round}: ${JSON.stringify(first.result)}`);
  answered.push(whole);
  const id: string = first.result.structuredContent.threadId;
  peer.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: callOf(peer, `cut ${round}`, id) });
  return id;
};

const callOf = (peer: Peer, prompt: string, threadId: string | undefined): Json =>
  threadId === undefined
    ? codexCall(peer, prompt, { 'approval-policy': 'never', sandbox: 'danger-full-access' })
    : { name: 'codex-reply', arguments: { prompt, threadId } };

const linesIn = (home: Home): string[] => {
  const root = join(home.path, '.codex/sessions');
  const names = readdirSync(root, { recursive: true }).map(String);
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(root, name), 'utf8').split('\n'));
};

const isWhole = (line: string): boolean => {
  try {
    return line === '' || typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};

const countBroken = (home: Home): number => linesIn(home).filter((line) => !isWhole(line)).length;

const promptsIn = (home: Home): string[] =>
  linesIn(home)
    .filter((line) => line !== '' && isWhole(line))
    .map((line) => JSON.parse(line))
    .flatMap(({ payload }) => (payload.type === 'user_message' ? [payload.message] : []));
