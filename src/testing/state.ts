/** Owns where a session that is played stands, and what a cue makes of it. Waiting is not here. */
import { hasHeardBefore, hear, type Play, say } from './play';
import type { End } from './score';

/** What comes from the server. */
export type Heard = { kind: 'line'; line: string } | { kind: 'ended'; sign: End['sign']; reason: string };
/** What moves the client. */
export type Cue = Heard | { kind: 'start' } | { kind: 'say' } | { kind: 'close' };

/** Where a session is. `input` is the client's; `trouble` is what happened besides what was said. */
export type State = {
  play: Play;
  phase: 'playing' | 'over';
  input: 'open' | 'closed';
  out: string[];
  end?: End;
  trouble: string[];
};

/** `now` is the frame. The client speaks as soon as it may, or at a cue. */
export type StepDeps = { now: () => number; speaks: 'when it may' | 'at a cue' };

/** The session after a cue; what was played changes in place. */
export const step = (deps: StepDeps, state: State, cue: Cue): State => {
  const { play } = state;
  play.out = [];
  if (cue.kind === 'line') hear(play, cue.line, deps.now());
  if (cue.kind === 'ended') return toEnded(state, { frame: deps.now(), sign: cue.sign }, cue.reason);
  if (cue.kind === 'close') return { ...state, out: [], input: 'closed' };
  if (cue.kind === 'say' && !say(play)) return skip(state);
  const input = deps.speaks === 'when it may' && state.input === 'open' ? goOn(play) : state.input;
  return { ...state, input, out: play.out };
};

/** Says all that may be said; the input is closed behind the last of it. */
const goOn = (play: Play): State['input'] => {
  const { notes, end } = play.score.client;
  for (;;) {
    const note = notes[play.said];
    if (note === undefined) return hasHeardBefore(play, end?.frame ?? Number.POSITIVE_INFINITY) ? 'closed' : 'open';
    if (!hasHeardBefore(play, note.frame) || !say(play)) return 'open';
  }
};

const skip = (state: State): State => {
  const note = state.play.score.client.notes[state.play.said];
  state.play.said += 1;
  return { ...state, out: [], trouble: [...state.trouble, `what ${note?.letter} refers to had not come by then`] };
};

const toEnded = (state: State, end: End, reason: string): State => ({
  ...state,
  phase: 'over',
  out: [],
  end,
  trouble: [...state.trouble, ...(reason === '' ? [] : [reason])],
});

/** Nothing more is to come, but the end of the server, which need not. */
export const isComplete = ({ play, input }: State): boolean =>
  input === 'closed' && hasHeardBefore(play, Number.POSITIVE_INFINITY) && !play.score.server.some(({ end }) => end);

/** The session when the server was silent for too long. */
export const toLate = (state: State, limitMs: number): State => ({
  ...state,
  phase: 'over',
  out: [],
  trouble: isComplete(state) ? state.trouble : [...state.trouble, `the server was silent for ${limitMs} ms`],
});
