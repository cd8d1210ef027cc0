/** The reducer of a session under test: what each input does to the play, and what the client sends then. */
import { hasReceivedBefore, openPlay, type Play, receive, sendNext } from './play';
import type { End, Score } from './score';

/** What comes from the server. */
export type ServerInput = { kind: 'line'; line: string } | { kind: 'ended'; sign: End['sign']; reason: string };

/** What moves a session, and the frame at which it does; `send` and `close` come if the client keeps to its frames. */
export type Input = (ServerInput | { kind: 'start' } | { kind: 'send' } | { kind: 'close' }) & { frame: number };

/** The state of a session under test. */
export type State = {
  readonly play: Play;
  readonly phase: 'playing' | 'over';
  /** The client's half of the connection. */
  readonly clientInput: 'open' | 'closed';
  /** Lines of the client. */
  readonly output: readonly string[];
  readonly end?: End;
  /** Lines for a failure. */
  readonly remarks: readonly string[];
};

/** When the client sends: as soon as all before it has come, or at the frames of its notes. */
export type Pace = 'inOrder' | 'inTime';

/** What a client does with a line that is no part of its marbles, such as a log message of the server: it sends `replies`, or nothing. */
export type Aside = { replies: readonly string[] };

/** How a session moves. `asideOf` tells which lines of the server are no part of the marbles; by default all are. */
export type Moves = { pace: Pace; asideOf?: (line: string, play: Play) => Aside | undefined };

/** A score before anything was played. */
export const openState = (score: Score): State => ({
  play: openPlay(score),
  phase: 'playing',
  clientInput: 'open',
  output: [],
  remarks: [],
});

/** The session after an input. */
export const step =
  ({ pace, asideOf = () => undefined }: Moves) =>
  (before: State, input: Input): State => {
    const state: State = { ...before, output: [] };
    switch (input.kind) {
      case 'line': {
        const aside = asideOf(input.line, state.play);
        if (aside !== undefined) return { ...state, output: aside.replies };
        return goOn(pace, { ...state, play: receive(state.play, input.line, input.frame) });
      }
      case 'ended':
        return toOver({ ...state, end: { frame: input.frame, sign: input.sign } }, input.reason);
      case 'close':
        return { ...state, clientInput: 'closed' };
      case 'send':
        return send(state) ?? skip(state);
      case 'start':
        return goOn(pace, state);
    }
  };

const send = (state: State): State | undefined => {
  const next = sendNext(state.play);
  return next && { ...state, play: next.play, output: [...state.output, next.line] };
};

/** Sends all that may be sent; the input is closed after the last of it. */
const goOn = (pace: Pace, before: State): State => {
  if (pace === 'inTime' || before.clientInput === 'closed') return before;
  const { notes, end } = before.play.score.client;
  let state = before;
  for (;;) {
    const note = notes[state.play.sent];
    if (!hasReceivedBefore(state.play, note?.frame ?? end?.frame ?? Number.POSITIVE_INFINITY)) return state;
    if (note === undefined) return { ...state, clientInput: 'closed' };
    const next = send(state);
    if (next === undefined) return state;
    state = next;
  }
};

const skip = (state: State): State => {
  const { play, remarks } = state;
  const letter = play.score.client.notes[play.sent]?.letter;
  const remark = `the client could not send ${letter}: what it refers to had not come by then`;
  return { ...state, play: { ...play, sent: play.sent + 1 }, remarks: [...remarks, remark] };
};

const toOver = (state: State, remark: string): State => ({
  ...state,
  phase: 'over',
  output: [],
  remarks: remark === '' ? state.remarks : [...state.remarks, remark],
});

/** Whether nothing more is to come, apart from an end of the server that the marbles do not show. */
export const isComplete = ({ play, clientInput }: State): boolean =>
  clientInput === 'closed' &&
  hasReceivedBefore(play, Number.POSITIVE_INFINITY) &&
  !play.score.server.some(({ end }) => end);

/** The session when the server was silent for too long. */
export const toLate = (state: State, limitMs: number): State =>
  toOver(state, isComplete(state) ? '' : `the server was silent for ${limitMs} ms`);
