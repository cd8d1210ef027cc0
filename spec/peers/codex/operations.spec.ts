/** The operations of an engine, by the real app-server of two releases and by the native engine: what each does, and what the model gets. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY, Subject, type Subscription } from 'rxjs';
import { appServerEngine } from '../../../src/agent/appServer/appServerEngine';
import { nativeEngine } from '../../../src/app/engines/nativeEngine';
import { type Event, isLast } from '../../../src/protocol/codex/events';
import type { Op, ThreadRef, TurnOp } from '../../../src/protocol/codex/operations';
import { wired } from '../../agent/wiring/wiring';
import type { Json } from '../../support/daemon/peer';
import { type Home, openHomeForCodex, removeHomes } from '../../support/home';
import { until } from '../../support/processes';
import { closeModels, type Exchange, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed, type PeerName } from '../installed';

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const running: Subscription[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) one.unsubscribe();
  closeModels();
  await removeHomes();
});

/** An engine that runs, with what it was asked, what it emitted and what its model received. */
type Live = {
  home: Home;
  requests: Json[];
  events: Event[];
  send: (op: Op) => void;
  /** Resolves to the last output of a call. */
  end: (callId: string) => Promise<Event>;
};

/** Holds back the answer to a prompt with the word `hold` until it is let go. */
const holding = () => {
  const held: (() => void)[] = [];
  const answer = ({ body, say }: Exchange) => {
    const text = JSON.stringify(body.input.filter(({ role }: Json) => role === 'user').at(-1)?.content ?? '');
    const isSummary = !text.includes('hold') && /summar/i.test(text);
    const speak = () => say(message(isSummary ? 'All so far.' : `Done: ${body.model}`));
    if (text.includes('hold')) held.push(speak);
    else speak();
  };
  return { answer, release: () => held.shift()?.() };
};

const start = async (name: PeerName | 'native', answer: (exchange: Exchange) => void): Promise<Live> => {
  const home = openHomeForCodex();
  const { toml, requests } = await startModel(answer);
  const codex = name === 'native' ? undefined : join(installed(name), 'codex');
  const codexHome = join(realpathSync(home.path), '.codex');
  mkdirSync(codexHome);
  writeFileSync(join(codexHome, 'config.toml'), toml);
  const { platform, arch, execPath: node } = process;
  const { wiring } = wired({
    options: { codex, turnTimeoutMs: 30_000, modelTimeoutMs: 30_000 },
    processInfo: { env: home.env, cwd: home.work, codexHome, platform, arch, node },
  });
  const own = { ...wiring, newId: () => randomUUID() };
  const { engine } = name === 'native' ? nativeEngine(own) : appServerEngine(own).ready;
  const op$ = new Subject<Op>(); // the wire from the spec to the engine
  const events: Event[] = [];
  running.push(engine(() => EMPTY)(op$).subscribe((event) => events.push(event)));
  const lastOf = (callId: string) =>
    events.find((event) => event.callId === callId && (isLast(event) || event.kind === 'rejected'));
  const end = async (callId: string) => {
    await until(() => lastOf(callId) !== undefined, `the end of ${callId}`);
    return lastOf(callId) as Event;
  };
  return { home, requests, events, send: (op) => op$.next(op), end };
};

const turn = (callId: string, text: string, more: Partial<TurnOp> = {}): TurnOp => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread: { newest: true },
  askable: false,
  input: [{ type: 'text', text }],
  ...more,
});

const on = <K extends 'open' | 'compact' | 'close'>(kind: K, callId: string, thread: ThreadRef = { newest: true }) => ({
  kind,
  callId,
  eventId: callId,
  thread,
  askable: false,
});

const typesOf = ({ events }: Live, callId: string): string[] =>
  events
    .filter((event) => event.callId === callId)
    .flatMap((event) => (event.kind === 'event' ? event.msg.type : event.kind));

const threadOf = ({ events }: Live): string =>
  events.flatMap((event) => ('threadId' in event ? event.threadId : []))[0] ?? '';

/** How often a text is in what the model received last. */
const timesIn = (request: Json | undefined, text: string): number =>
  JSON.stringify(request?.input ?? '').split(text).length - 1;

describe.each(['native', 'codex-0.142.0', 'codex-0.169.0'] as const)('the operations of %s', (name) => {
  beforeAll(() => void (name !== 'native' && installed(name)), INSTALL_MS);

  it('open a thread without a turn, and give a turn settings for itself and for all later ones', async () => {
    const live = await start(name, holding().answer);
    live.send(on('open', 'o', { start: { sandbox: 'read-only', approvalPolicy: 'never' } }));
    expect(await live.end('o')).toMatchObject({ kind: 'done' });
    expect([typesOf(live, 'o'), live.requests.length]).toEqual([['session_configured', 'done'], 0]);
    const sub = join(live.home.work, 'sub');
    mkdirSync(sub);
    live.send(turn('a', 'hi', { settings: { model: 'gpt-5.5', effort: 'high' }, lasting: { cwd: sub } }));
    await live.end('a');
    live.send(turn('b', 'again'));
    await live.end('b');
    expect(live.requests.map(({ model }) => model)).toEqual(['gpt-5.5', 'gpt-5']);
    expect(live.requests[0]?.reasoning).toMatchObject({ effort: 'high' });
    expect(live.requests[1]?.reasoning?.effort).not.toBe('high');
    for (const request of live.requests) expect(timesIn(request, `<cwd>${sub}</cwd>`)).toBeGreaterThan(0);
  });

  it('give the model a picture of the disk, and one by its address', async () => {
    const live = await start(name, holding().answer);
    writeFileSync(join(live.home.work, 'dot.png'), Buffer.from(PICTURE, 'base64'));
    const input: TurnOp['input'] = [
      { type: 'text', text: 'look' },
      { type: 'localImage', path: 'dot.png' },
      { type: 'image', url: `data:image/png;base64,${PICTURE}` },
    ];
    live.send(turn('a', '', { input, thread: { start: {} } }));
    await live.end('a');
    expect(timesIn(live.requests[0], 'data:image/png;base64,')).toBe(2);
  });

  it('give input to the turn that runs, once, and stop a turn', async () => {
    const model = holding();
    const live = await start(name, model.answer);
    live.send(turn('a', 'hold this', { thread: { start: {} } }));
    await until(() => live.requests.length === 1, 'the first request');
    live.send({ ...turn('i', 'steered words'), kind: 'input' });
    await new Promise((wake) => setTimeout(wake, 500));
    model.release();
    expect(await live.end('i')).toMatchObject({ kind: 'joined', turnCallId: 'a' });
    await live.end('a');
    expect(live.requests.map((request) => timesIn(request, 'steered words'))).toEqual([0, 1]);
    live.send(turn('b', 'hold on'));
    await until(() => live.requests.length === 3, 'the third request');
    live.send({ kind: 'interruptThread', callId: 'x', thread: { newest: true } });
    await live.end('x');
    expect([typesOf(live, 'b').at(-1), typesOf(live, 'x')]).toEqual(['turn_aborted', ['done']]);
    live.send(turn('c', 'go on'));
    await live.end('c');
    expect(live.requests.map((request) => timesIn(request, 'steered words'))).toEqual([0, 1, 1, 1]);
  });

  it('compact a thread, close it, and load it again', async () => {
    const live = await start(name, holding().answer);
    live.send(turn('a', 'remember 4711', { thread: { start: {} } }));
    await live.end('a');
    live.send(on('compact', 'k'));
    await live.end('k');
    expect(typesOf(live, 'k')).toEqual(expect.arrayContaining(['task_started', 'context_compacted', 'task_complete']));
    const id = threadOf(live);
    live.send(on('close', 'z'));
    expect(await live.end('z')).toMatchObject({ kind: 'done' });
    live.send(turn('b', 'and now', { thread: { id } }));
    await live.end('b');
    expect(typesOf(live, 'b')).not.toContain('error');
    expect([timesIn(live.requests.at(-1), 'All so far.'), timesIn(live.requests.at(-1), 'and now')]).toEqual([1, 1]);
  });
});
