/** A client that keeps many conversations busy at once and counts what it gets: requests, answers, events, approvals, memory. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Ending, type Json, scripted } from '../daemon/peer';
import { openHome } from '../home';
import { type Ledger, newLedger, receiveEvent, toFaults } from './soakLedger';

/** `random` 0 up to 1; `stallMs` is how long the client reads nothing, in the middle. */
export type SoakPlan = { conversations: number; requests: number; stallMs: number; random: () => number };

/**
 * `faults` are the rules that were broken. `memory` is that of the process in MiB: when the conversations have had some turns, the most, and when all is
 * settled. `live` is what objects hold at these moments, and after as many other conversations have had a turn, so that the first are unused.
 */
export type SoakReport = {
  faults: string[];
  sent: number;
  cancelled: number;
  events: number;
  turns: number;
  approvals: number;
  memory: { start: number; peak: number; end: number };
  live: { start: number; end: number; replaced: number };
  seconds: number;
  ending: Ending;
};

/** A turn without a command, and one that asks for the approval of one. */
const SCRIPT = {
  scenes: [
    {
      when: 'ask',
      answers: [
        {
          items: [
            { text: 'I look into it, step by step.', deltas: 6 },
            { call: 'shell', args: { command: ['touch', 'soak.txt'] } },
          ],
          deltaDelayMs: 2,
        },
        { items: [{ text: 'Done with {{prompt}}.', deltas: 4 }], deltaDelayMs: 2 },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You wrote: {{prompt}}, and here is a longer answer.', deltas: 10 }], deltaDelayMs: 2 },
};

/** A heap so small that a server which keeps finished work soon runs out of it. */
const HEAP = '--max-old-space-size=96';
/** Collects garbage and reports what is alive, when it gets SIGUSR2. */
const PROBE = join(__dirname, 'liveMemory.cjs');
const LIVE_FILE = 'live.json';

const IN_FLIGHT = 100;
/** Requests before memory is measured, so that the code of every kind of request is loaded. */
const FIRST = 600;
const SETTLE_MS = 5_000;
const SAMPLE_MS = 250;

const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

/** The process, its lines as messages, and what was sent to it. */
const connect = () => {
  const home = openHome();
  const [program, args] = commandLine('mcp-server', '--engine', 'native', ...scripted(home, SCRIPT));
  const child = spawn(program, args, {
    env: { ...home.env, NODE_OPTIONS: `${HEAP} --require=${PROBE}`, LIVE_MEMORY: join(home.path, LIVE_FILE) },
    cwd: home.work,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<Ending>((done) => child.once('close', (code, signal) => done({ code, signal })));
  child.stdin.on('error', () => {}); // a server that is gone shows in `ended`
  let rest = '';
  const onLines = (receive: (message: Json) => void) =>
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) receive(JSON.parse(line));
    });
  const send = (message: Json) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return { home, child, ended, onLines, send };
};

type Connection = ReturnType<typeof connect>;

/** Sends requests and settles them by their answers. */
const requester = ({ send }: Connection, ledger: Ledger) => {
  let ids = 1_000_000; // apart from the ids of events, which are small numbers
  const settle = new Map<number, (answer: Json) => void>();
  const request = (method: string, params?: Json): { id: number; answer: Promise<Json> } => {
    ids += 1;
    const id = ids;
    ledger.answers.set(id, 0);
    const answer = new Promise<Json>((found) => void settle.set(id, found));
    send({ id, method, ...(params && { params }) });
    return { id, answer };
  };
  const receive = (message: Json): void => {
    ledger.answers.set(message.id, (ledger.answers.get(message.id) ?? 0) + 1);
    settle.get(message.id)?.(message);
    settle.delete(message.id);
  };
  const cancel = (id: number): void => {
    ledger.cancelled.add(id);
    send({ method: 'notifications/cancelled', params: { requestId: id } });
    settle.get(id)?.({});
    settle.delete(id);
  };
  return { request, receive, cancel, isSettled: () => settle.size === 0, inFlight: () => settle.size };
};

/** Approves, declines, stops, or answers with an error; now or later. */
const answerApproval = async ({ send }: Connection, { id }: Json, random: () => number): Promise<void> => {
  if (random() < 0.5) await pause(random() * 50);
  const draw = random();
  if (draw < 0.1) send({ id, error: { code: -32601, message: 'not understood' } });
  else send({ id, result: { decision: draw < 0.6 ? 'approved' : draw < 0.9 ? 'denied' : 'abort' } });
};

type Requester = ReturnType<typeof requester>;

const openConversations = async ({ request }: Requester, ledger: Ledger, count: number): Promise<string[]> => {
  const opened = Array.from({ length: count }, async (_, at) => {
    const settings = { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };
    const { result } = await request('newConversation', settings).answer;
    const conversationId: string = result.conversationId;
    for (let listeners = 0; listeners <= at % 2; listeners += 1) {
      const { result } = await request('addConversationListener', { conversationId }).answer;
      ledger.listeners.set(result.subscriptionId, { conversationId, events: [] });
    }
    return conversationId;
  });
  return Promise.all(opened);
};

/** One request of a kind that is drawn; some are cancelled right after. */
const sendOne = ({ request, cancel }: Requester, conversations: readonly string[], random: () => number): void => {
  const conversationId = conversations[Math.floor(random() * conversations.length)] as string;
  const say = (text: string) => ({ conversationId, items: [{ type: 'text', data: { text } }] });
  const draw = random();
  if (draw < 0.25) request('sendUserMessage', say(`prompt ${random()}`));
  else if (draw < 0.4) request('sendUserMessage', say(`ask ${random()}`));
  else if (draw < 0.45) request('interruptConversation', { conversationId });
  else if (draw < 0.55) {
    const { id } = request('tools/call', {
      name: 'codex-reply',
      arguments: { threadId: conversationId, prompt: 'hi' },
    });
    if (random() < 0.5) setTimeout(() => cancel(id), random() * 30);
  } else if (draw < 0.6) {
    const { id } = request('fuzzyFileSearch', { query: 'a', roots: ['.'] });
    if (random() < 0.5) cancel(id);
  } else request(['ping', 'tools/list', 'getAuthStatus', 'getConfigToml'][Math.floor(random() * 4)] as string, {});
};

/** What is alive in the server, in MiB. */
const liveMemory = async ({ child, home }: Connection): Promise<number> => {
  const file = join(home.path, LIVE_FILE);
  rmSync(file, { force: true });
  child.kill('SIGUSR2');
  while (!existsSync(file)) await pause(20);
  return Math.round(JSON.parse(readFileSync(file, 'utf8')).heap * 10) / 10;
};

/** As many other conversations, with a listener and a turn each: only the last ones in use stay in memory. */
const replaceConversations = async (sender: Requester, ledger: Ledger, count: number): Promise<void> => {
  for (const conversationId of await openConversations(sender, ledger, count)) {
    await sender.request('sendUserMessage', { conversationId, items: [{ type: 'text', data: { text: 'hi' } }] }).answer;
  }
  await settled(sender, ledger);
};

/** Runs the plan against a server of its own. */
export const soak = async (plan: SoakPlan): Promise<SoakReport> => {
  const { random } = plan;
  const startedMs = Date.now();
  const [connection, ledger] = [connect(), newLedger()];
  const { child, send, onLines, ended } = connection;
  const pid = child.pid as number;
  const sender = requester(connection, ledger);
  onLines((message) => {
    if (message.method === undefined) sender.receive(message);
    else if (message.id === undefined) receiveEvent(ledger, message);
    else {
      ledger.approvals += 1;
      void answerApproval(connection, message, random);
    }
  });
  const clientInfo = { name: 'soak', version: '1' };
  await sender.request('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo })
    .answer;
  send({ method: 'notifications/initialized' });
  const conversations = await openConversations(sender, ledger, plan.conversations);
  const sendMany = async (count: number, onEach: (sent: number) => Promise<void>): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) {
      while (sender.inFlight() >= IN_FLIGHT) await pause(2);
      sendOne(sender, conversations, random);
      await onEach(sent);
    }
    await settled(sender, ledger);
  };
  await sendMany(FIRST, async () => {});
  const memory = { start: memoryOf(pid), peak: 0, end: 0 };
  const live = { start: await liveMemory(connection), end: 0, replaced: 0 };
  const sampling = setInterval(() => {
    memory.peak = Math.max(memory.peak, memoryOf(pid));
  }, SAMPLE_MS);
  await sendMany(plan.requests, async (sent) => {
    if (sent === Math.floor(plan.requests / 2)) await stall(connection, plan.stallMs);
    if (random() < 0.05) await pause(random() * 20);
  });
  clearInterval(sampling);
  memory.end = memoryOf(pid);
  live.end = await liveMemory(connection);
  await replaceConversations(sender, ledger, plan.conversations);
  live.replaced = await liveMemory(connection);
  child.stdin.end();
  const ending = await ended;
  const { events, approvals } = ledger;
  const turns = [...ledger.listeners.values()]
    .flatMap((one) => one.events)
    .filter(({ type }) => type === 'task_started');
  return {
    faults: toFaults(ledger),
    sent: ledger.answers.size,
    cancelled: ledger.cancelled.size,
    events,
    turns: turns.length,
    approvals,
    memory,
    live,
    seconds: Math.round((Date.now() - startedMs) / 1000),
    ending,
  };
};

/** The client reads nothing for a while. */
const stall = async ({ child }: Connection, ms: number): Promise<void> => {
  child.stdout.pause();
  await pause(ms);
  child.stdout.resume();
};

/** Once every request has its answer and no event has come for a while. */
const settled = async (sender: Requester, ledger: Ledger): Promise<void> => {
  for (let events = -1; !sender.isSettled() || events !== ledger.events; ) {
    events = ledger.events;
    await pause(SETTLE_MS);
  }
};
