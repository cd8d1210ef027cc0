/** The reducer of a recorded server: each line of the client releases lines of the recording. It uses no timers. */
import { toObject } from '../../protocol/jsonrpc/json';
import { labelOf, type ParsedLine, parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { isCancel } from '../session/pairCalls';
import { polledTask } from '../session/sessionTasks';
import { itemAt } from '../session/sparseArray';
import { type FindMatch, findInitialize, findMasked, findNearest, findSame, toUnrecorded } from './matchLine';
import {
  END_KEY,
  nextOfKey,
  type PlaybackEvent,
  type PlaybackSession,
  type Progress,
  type ServerPlan,
  toErrorLine,
  toLine,
} from './playbackSession';
import { choosePoll } from './polls';
import { findOpenRequest, openPlaybackSession, receiveLine, receiveResponse } from './receive';

/** How client lines are matched. */
export type PlayOptions = {
  /** `again`: a line that comes more often than it was recorded starts a new session. */
  repeat: 'once' | 'again';
  /** `nearest`: a line whose params were not recorded is taken for the recorded line of its method and tool that differs least. */
  match: 'strict' | 'nearest';
  /** `any`: the client may cancel requests although that was not recorded, as it does if responses are lost. Default `recorded`. */
  cancels?: 'recorded' | 'any';
  /** The pace at which tasks change, see `choosePoll`. Default `max`. */
  speed?: number | 'max';
};

/** What a server receives: its start, a line of the client, the end of the client's input. */
export type ServerInput = ({ kind: 'start' } | { kind: 'line'; line: string } | { kind: 'end' }) & { atMs: number };

/** The newest session comes first; an older session stays while one of its requests has no response. */
export type ServerPlayback = { phase: 'idle' } | { phase: 'playing'; sessions: readonly PlaybackSession[] };

/** The new state, and what is sent and remarked because of the input. */
export type ServerStep = { state: ServerPlayback; output: readonly PlaybackEvent[] };

type Sessions = readonly PlaybackSession[];
type Played = { sessions: Sessions; output: readonly PlaybackEvent[] };

/** Makes the reducer. */
export const reduceServer =
  (plan: ServerPlan, options: PlayOptions) =>
  (state: ServerPlayback, input: ServerInput): ServerStep => {
    if (state.phase === 'idle' || input.kind === 'start') {
      const { session, released } = openPlaybackSession(plan, input.atMs);
      return toStep({ sessions: [session], output: released.map(toLine) });
    }
    if (input.kind === 'end') return toStep(playEnd(plan, state.sessions, input.atMs));
    if (input.line.trim() === '') return { state, output: [] };
    const received = { parsed: parseLine(input.line), atMs: input.atMs };
    return toStep(
      playResponse(plan, state.sessions, received) ?? playLine({ plan, options }, state.sessions, received),
    );
  };

const toStep = ({ sessions, output }: Played): ServerStep => ({ state: { phase: 'playing', sessions }, output });

type Received = { parsed: ParsedLine; atMs: number };

const playResponse = (plan: ServerPlan, sessions: Sessions, { parsed, atMs }: Received): Played | undefined => {
  const [message] = parsed.messages;
  if (message?.kind !== 'response' || message.id === null) return undefined;
  const { id } = message;
  const found = sessions.findIndex((session) => findOpenRequest(plan, session, id) !== undefined);
  const session = sessions[found];
  if (session === undefined) return undefined;
  const line = findOpenRequest(plan, session, id) as number;
  const played = receiveResponse(plan, session, { line, message, atMs });
  return { sessions: sessions.with(found, played.session), output: played.output };
};

type Deps = { plan: ServerPlan; options: PlayOptions };

const playLine = ({ plan, options }: Deps, sessions: Sessions, received: Received): Played => {
  const [current] = sessions as [PlaybackSession];
  const same = findSame(plan, received.parsed, current);
  const poll = findPoll({ plan, options }, received);
  const known = [poll, same, findInitialize(plan, received.parsed), findMasked(plan, received.parsed)];
  const finders = options.match === 'strict' ? known : [...known, findNearest(plan, received.parsed)];
  for (const find of finders) {
    const match = { ...received, plan, find };
    const played =
      playIn(match, sessions) ?? (options.repeat === 'again' ? playInNewSession(match, sessions) : undefined);
    if (played) return played;
  }
  return { sessions, output: received.parsed.messages.flatMap((message) => toUnmatched({ plan, options }, message)) };
};

const findPoll = ({ plan, options }: Deps, { parsed, atMs }: Received): FindMatch => {
  const task = plan.polls.tasks.get(polledTask(parsed.messages[0]) ?? '');
  return ({ arrivals }) => {
    const line =
      task &&
      choosePoll(task, {
        arrivedMs: (one) => itemAt(arrivals, one)?.atMs,
        nowMs: atMs,
        recordedMs: (one) => plan.index.clientLines[one]?.t ?? 0,
        speed: options.speed ?? 'max',
      });
    return line === undefined ? undefined : { line, remarks: [] };
  };
};

type Matching = Received & { plan: ServerPlan; find: FindMatch };

const playIn = ({ plan, find, parsed, atMs }: Matching, [current, ...older]: Sessions): Played | undefined => {
  const match = current && find(current);
  if (current === undefined || match === undefined) return undefined;
  const { session, released } = receiveLine(plan, current, { line: match.line, messages: parsed.messages, atMs });
  return { sessions: [session, ...older], output: [...match.remarks, ...released.map(toLine)] };
};

const playInNewSession = (matching: Matching, sessions: Sessions): Played | undefined => {
  const { session, released }: Progress = openPlaybackSession(matching.plan, matching.atMs);
  const waiting = sessions.filter(({ openRequests }) => openRequests.length > 0);
  const played = playIn(matching, [session, ...waiting]);
  return played && { ...played, output: [...released.map(toLine), ...played.output] };
};

const toUnmatched = ({ plan, options }: Deps, message: TapeMessage): PlaybackEvent[] => {
  if (!isCancel(message) || options.cancels !== 'any') return toUnrecordedEvents(plan, message);
  const { requestId, id, sessionId } = toObject(message.params);
  const what = sessionId === undefined ? 'request' : 'prompt in session';
  return [{ kind: 'fault', text: `the client cancels its ${what} ${JSON.stringify(requestId ?? id ?? sessionId)}` }];
};

const toUnrecordedEvents = ({ index }: ServerPlan, message: TapeMessage): PlaybackEvent[] => {
  const { message: text, data } = toUnrecorded(index.clientLines, message);
  const remark: PlaybackEvent = { kind: 'unrecorded', text };
  return message.kind === 'request' ? [remark, toErrorLine(message.id, text, data)] : [remark];
};

const playEnd = (plan: ServerPlan, before: Sessions, atMs: number): Played => {
  const ends = before.map((session): Progress => {
    const line = nextOfKey(plan, session, END_KEY);
    return line === undefined ? { session, released: [] } : receiveLine(plan, session, { line, messages: [], atMs });
  });
  const output = ends.flatMap(({ released }) => released.map(toLine));
  return { sessions: ends.map(({ session }) => session), output: [...output, ...toUnplayed(plan, before[0])] };
};

const toUnplayed = ({ index, polls }: ServerPlan, session: PlaybackSession | undefined): PlaybackEvent[] => {
  const left = index.clientLines.filter(
    ({ kind }, line) => kind === 'line' && session && !itemAt(session.arrivals, line) && !polls.isPoll(line),
  );
  const [first] = left;
  if (first === undefined) return [];
  const text = `${left.length} recorded ${left.length === 1 ? 'line' : 'lines'} of the client never came; the first is line ${first.lineNumber}: ${labelOf(first.messages[0])}`;
  return [{ kind: 'unplayed', text }];
};
