/** A thousand tasks, whose servers are killed at random moments: each task that a client got is kept, once, and ends. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { type Home, openHome } from '../../support/home';
import { running, until } from '../../support/processes';

afterEach(endServers);

const TASKS = 1_000;
/** How many calls are sent to a server at once. */
const BURST = 50;
/** How long a server lives at most after the last answer that is waited for. */
const MAX_LIFE_MS = 4_000;

const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const shell = (...command: string[]) => ({ items: [{ call: 'shell', args: { command } }] });
const done = { items: [{ text: 'did: {{prompt}}' }] };
/** Every fifth task has a command that outlives any server that is killed, every fifth asks a question. */
const script = {
  scenes: [
    { when: '[05]$', answers: [shell('sleep', '600'), done] },
    { when: '[16]$', answers: [shell('touch', 'file'), done] },
    { when: '[27]$', answers: [shell('true'), done] },
  ],
  otherwise: done,
};

const callOf = ({ home }: Peer, prompt: string): Json => {
  const policy = /[16]$/.test(prompt) ? 'untrusted' : 'never';
  const given = { prompt, 'approval-policy': policy, sandbox: 'danger-full-access', cwd: home.work };
  return modern({ name: 'codex', arguments: given }, capabilities);
};

/** Sends a burst of calls, kills the server after some of the answers, and returns the tasks that it answered with, by prompt. */
const round = async (home: Home, prompts: readonly string[]): Promise<[string, string][]> => {
  const peer = startServer({ home, script, args: ['--engine', 'native', '--task-after', '0'] });
  await peer.request('server/discover', modern({}, capabilities));
  for (const prompt of prompts) peer.send({ id: prompt, method: 'tools/call', params: callOf(peer, prompt) });
  const answers = Math.floor(Math.random() * prompts.length);
  for (let count = 0; count < answers; count += 1)
    await peer.next(({ result }) => result?.taskId !== undefined, 'a task');
  await new Promise((later) => setTimeout(later, Math.random() * MAX_LIFE_MS));
  peer.child.kill('SIGKILL');
  await peer.ended;
  return peer.messages.flatMap(({ id, result }): [string, string][] =>
    result?.resultType === 'task' ? [[id, result.taskId]] : [],
  );
};

const get = async (peer: Peer, taskId: string): Promise<Json> => {
  const { result, error } = await peer.request('tasks/get', modern({ taskId }, capabilities));
  return result ?? error;
};

const recordsIn = (home: Home): Json[] => {
  const folder = join(home.path, '.codex/codex-rx/tasks');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
};

/** Whether a task ended as its call would have, or as the task of a server that died. */
const endOf = (prompt: string, { status, result }: Json): string => {
  const text: string = result?.content[0].text ?? '';
  if (status === 'completed' && !result.isError && text === `did: ${prompt}`) return 'done';
  return status === 'completed' && result.isError && /ended before the task did/.test(text) ? 'died' : text;
};

describe('a thousand tasks whose servers are killed', () => {
  it('are kept once each, end, and leave no process', async () => {
    const home = openHome();
    const given = new Map<string, string>();
    let sent = 0;
    for (; given.size < TASKS; sent += BURST) {
      const prompts = Array.from({ length: BURST }, (_, i) => `task ${sent + i}`);
      for (const [prompt, taskId] of await round(home, prompts)) given.set(prompt, taskId);
    }
    await until(() => running('', home.path).length === 0, 'the end of the commands of killed servers');
    const judge = startServer({ home, script });
    const ends = new Set<string>();
    for (const [prompt, taskId] of given) ends.add(endOf(prompt, await get(judge, taskId)));
    expect([...ends].toSorted()).toEqual(['died', 'done']);
    const records = recordsIn(home); // a task may be kept whose server was killed before it answered
    expect(records.length).toBeGreaterThanOrEqual(given.size);
    expect(records.length).toBeLessThanOrEqual(sent);
    const threads = records.flatMap(({ threadId }) => threadId ?? []);
    expect([new Set(given.values()).size, new Set(threads).size]).toEqual([given.size, threads.length]);
    await judge.end();
    expect(running('', home.path)).toEqual([]);
  }, 1_200_000);
});
