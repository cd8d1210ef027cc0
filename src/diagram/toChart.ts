/** Owns making the picture of a session: every message becomes a marble, every question a span to its answer. */
import { idKey } from '../protocol/jsonrpc';
import { nameKey, namesOf, parseLine, type RequestName, referencesOf, type TapeMessage } from '../session';
import { INPUT_ENDED, type NumberedEntry, type Session } from '../tape';
import { isFailure, lookOf, lookOfAnswer, lookOfLog, lookOfSeam } from './appearance';
import { toLanes } from './assignLanes';
import type { Chart, ChartMarble, Look } from './chart';
import { type Letters, openLetters } from './letters';
import { answer, ask, type Call, type Calls, cancel, cancelledKey, openCalls, setTiers } from './spans';
import { setThreads, threadIn } from './threads';

type Drawn = { marble: ChartMarble; look: Look };

type Drawing = {
  drawn: Drawn[];
  spans: Chart['spans'];
  ends: Chart['ends'];
  letters: Letters;
  calls: Record<'in' | 'out' | 'seam', Calls>;
  /** The latest request of a name, and what joins marbles to their request. */
  named: Map<string, number>;
  owner: Map<number, number>;
  said: Map<number, string>;
};

/**
 * The picture of a session. Small letters are the client's, capitals the server's; an answer has the capital of its request,
 * `!` is an error, `x` a cancel, `?` a line that is no message. A run of deltas, and of events of one call at an inner
 * seam, is one marble.
 */
export const toChart = (session: Session): Chart => {
  const entries = session.entries.filter(({ entry }) => entry.line.trim() !== '');
  const drawing: Drawing = {
    drawn: [],
    spans: [],
    ends: { ok: true },
    letters: openLetters(),
    calls: { in: openCalls(), out: openCalls(), seam: openCalls() },
    named: new Map(),
    owner: new Map(),
    said: new Map(),
  };
  for (const [index, numbered] of entries.entries()) drawEntry(drawing, numbered, index);
  const marbles = drawing.drawn.map(({ marble }) => marble);
  const lanes = toLanes(drawing.drawn);
  const threads = setThreads(marbles, drawing.said, drawing.owner);
  setTiers(drawing.spans, (i) => marbles[i]?.lane ?? 0);
  return { entries, lanes, marbles, spans: drawing.spans, threads, ends: drawing.ends };
};

const drawEntry = (drawing: Drawing, { entry }: NumberedEntry, index: number): void => {
  const { dir, line, t, seam = 'mcp' } = entry;
  const put = (look: Look, word?: number) => putMarble(drawing, t, index, look, word);
  if (seam !== 'mcp') drawSeam(drawing, entry, seam, put);
  else if (dir === 'in' || dir === 'out') {
    const { messages, value } = parseLine(line);
    const parts = Array.isArray(value) && messages.length > 1 ? value : undefined;
    for (const [i, message] of messages.entries()) {
      drawWord(drawing, dir, message, parts ? parts[i] : value, (look) => put(look, parts && i));
    }
  } else drawLog(drawing, dir, line, put);
};

/** Puts a look on the picture and gives the index of its marble. */
type Put = (look: Look) => number;

const putMarble = ({ drawn }: Drawing, t: number, index: number, look: Look, word?: number): number => {
  const last = drawn.at(-1);
  const atMs = Math.max(last?.marble.untilMs ?? 0, t);
  if (last && word === undefined && look.run !== undefined && isSameRun(last, look)) {
    last.marble.untilMs = atMs;
    last.marble.count += 1;
    return drawn.length - 1;
  }
  const { symbol, name, mark } = look;
  const marble = { atMs, untilMs: atMs, lane: 0, symbol, name, mark, first: index, count: 1 };
  drawn.push({ look, marble: word === undefined ? marble : { ...marble, word } });
  return drawn.length - 1;
};

const isSameRun = ({ look, marble }: Drawn, { group, run }: Look): boolean =>
  marble.word === undefined && look.group === group && look.run === run;

const drawWord = (drawing: Drawing, dir: 'in' | 'out', message: TapeMessage, value: unknown, put: Put): void => {
  const i = message.kind === 'response' ? drawAnswer(drawing, dir, message, put) : drawSaid(drawing, dir, message, put);
  const thread = threadIn(value);
  if (thread !== undefined && !drawing.said.has(i)) drawing.said.set(i, thread);
};

const drawSaid = (
  drawing: Drawing,
  dir: 'in' | 'out',
  message: Exclude<TapeMessage, { kind: 'response' }>,
  put: Put,
): number => {
  const { named, calls, owner, spans } = drawing;
  const look = lookOf(message, dir, drawing.letters);
  const owners = dir === 'out' ? referencesOf(message).flatMap((name) => named.get(nameKey(name)) ?? []) : [];
  const run = look.run === undefined ? {} : { run: `${look.run} ${owners[0]}` };
  const i = put({ ...look, ...run });
  if (owners[0] !== undefined) owner.set(i, owners[0]);
  if (message.kind === 'request') {
    spans.push(ask(calls[dir], idKey(message.id), i, look.name));
    if (dir === 'in') for (const name of namesOf(message)) named.set(nameKey(name as RequestName), i);
  }
  const key = look.mark === 'cancel' ? cancelledKey(message) : undefined;
  const stopped = key === undefined ? undefined : cancel(calls[dir], key, i);
  if (stopped) owner.set(i, stopped.span.from);
  return i;
};

const drawAnswer = (
  drawing: Drawing,
  dir: 'in' | 'out',
  message: TapeMessage & { kind: 'response' },
  put: Put,
): number => {
  const calls = drawing.calls[dir === 'in' ? 'out' : 'in'];
  const key = message.id === null ? undefined : idKey(message.id);
  const failed = isFailure(message);
  const call: Call | undefined = key === undefined ? undefined : (calls.open.get(key)?.[0] ?? calls.last.get(key));
  const i = put(lookOfAnswer(call?.name ?? 'a question unknown', dir, failed, drawing.letters));
  if (call) drawing.owner.set(i, call.span.from);
  if (key !== undefined) answer(calls, key, i, failed ? 'failed' : 'well');
  return i;
};

const drawSeam = (drawing: Drawing, entry: NumberedEntry['entry'], seam: string, put: Put): void => {
  const { dir, line, call } = entry;
  const { calls, owner, said, spans, letters } = drawing;
  const key = `${seam} ${call}`;
  const look = lookOfSeam(dir, seam, call, line, letters);
  const i = put(look);
  if (dir === 'in') {
    const thread = threadIn(parseLine(line).value);
    if (thread !== undefined) said.set(i, thread);
    calls.seam.open.delete(key);
    spans.push(ask(calls.seam, key, i, look.name));
    return;
  }
  const open = call === undefined ? undefined : calls.seam.last.get(key);
  if (!open) return;
  owner.set(i, open.span.from);
  open.span.to = i;
  open.span.outcome = look.mark === 'error' ? 'failed' : look.mark === 'cancel' ? 'cancelled' : 'answered';
};

const drawLog = ({ ends }: Drawing, dir: string, line: string, put: Put): void => {
  const side = dir === 'exit' ? 'server' : dir === 'note' && line === INPUT_ENDED ? 'client' : undefined;
  const look = lookOfLog(dir, line, side !== undefined);
  const i = put(look);
  if (side === undefined) return;
  ends[side] = i;
  if (look.mark === 'error') ends.ok = false;
};
