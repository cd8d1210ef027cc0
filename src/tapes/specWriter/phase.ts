/** A phase of a written spec: a part of the session that fits into one line of marbles. */
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import type { Marble } from '../../streams/marbles/drawMarbles';
import type { LanedLine } from './toLanes';

/** A part of a session, in marbles. */
export type Phase = {
  name: string;
  client: readonly Marble[];
  /** The marbles of each lane. */
  server: readonly (readonly Marble[])[];
  /** The letters that are new in this phase. */
  values: readonly (readonly [letter: string, value: unknown])[];
  /** Its length. */
  frames: number;
  /** It is named after a call of a tool. */
  hasCall: boolean;
};

/** A phase of this length ends with the next request that comes while no request waits for a response. */
export const LONG_FRAMES = 24;
/** A phase of this length ends anywhere. */
export const MAX_FRAMES = 88;

/** An empty phase that begins with a line. */
export const openPhase = (line: LanedLine): Phase => ({
  name: nameOf(line),
  client: [],
  server: [],
  values: [],
  frames: 0,
  hasCall: false,
});

/** What is added to a phase: the letter of a line, and the value of a new letter. */
type Written = { line: LanedLine; letter: string; value?: readonly [letter: string, value: unknown] };

/** The phase with one more line. Its name is its first call of a tool, if it has one. */
export const withLine = (phase: Phase, { line, letter, value }: Written): Phase => {
  const marble = { frame: phase.frames, symbol: letter };
  const isFirstCall = isCall(line) && !phase.hasCall;
  return {
    ...phase,
    ...(isFirstCall && { name: nameOf(line), hasCall: true }),
    ...(line.side === 'server'
      ? { server: withMarble(phase.server, line.lane, marble) }
      : { client: [...phase.client, marble] }),
    values: value ? [...phase.values, value] : phase.values,
    frames: phase.frames + 1,
  };
};

/** The phase with the end of the server after the end of the client's input, if the phase has that. */
export const withServerEnd = (phase: Phase): Phase =>
  phase.client.at(-1)?.symbol === '|'
    ? { ...phase, server: withMarble(phase.server, 0, { frame: phase.frames, symbol: '|' }) }
    : phase;

const withMarble = (lanes: Phase['server'], lane: number, marble: Marble): Phase['server'] =>
  Array.from({ length: Math.max(lanes.length, lane + 1) }, (_, i) => [
    ...(lanes[i] ?? []),
    ...(i === lane ? [marble] : []),
  ]);

const isCall = (one: LanedLine): boolean =>
  one.side === 'client' &&
  one.line.messages.some((message) => message.kind === 'request' && message.method === 'tools/call');

const nameOf = ({ side, line }: LanedLine): string => {
  if (side === 'endOfInput') return 'the end';
  const [message] = line.messages;
  if (message?.kind === 'response') return 'going on';
  return message && 'method' in message ? labelOf(message) : 'lines that are not messages';
};
