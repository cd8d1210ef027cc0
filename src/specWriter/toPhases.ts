/** Owns writing a session in marbles: phases of at most a line's width, with what their letters stand for. */
import { drawMarbles, withoutTail } from '../marbles';
import { labelOf } from '../session';
import { addClient, addServer, type Phase, type Writing } from './addLine';
import type { Line } from './choose';
import { toHoles } from './holes';
import { type LanedLine, toLanes } from './lanes';
import { hasFree, keepLetters, noLetters } from './letters';

/** A part of a session in marbles. `values` are the letters that mean something new in it. */
export type WrittenPhase = {
  name: string;
  client: string;
  server: string[];
  values: [letter: string, value: unknown][];
};

/** A phase that long ends with the next request that comes while nothing is under way; one at its full width ends anywhere. */
const LONG = 24;
const FULL = 88;

/** Writes lines in marbles. @param ending whether the server is known to have ended well behind the client's input */
export const toPhases = (lines: readonly Line[], ending: 'well' | 'unknown'): WrittenPhase[] => {
  const writing: Writing = { holes: toHoles(lines), letters: noLetters(), requests: [], questions: [], phases: [] };
  for (const line of toLanes(lines)) {
    const phase = phaseFor(writing, line);
    if (line.side === 'client') addClient(writing, phase, line.heard);
    else if (line.side === 'server') addServer(writing, phase, line.told, line.lane);
    else phase.client.push({ frame: phase.frames, symbol: '|' });
    if (isCall(line) && !phase.calls) Object.assign(phase, { name: nameOf(line), calls: true });
    phase.frames += 1;
  }
  if (ending === 'well') addEnd(writing.phases.at(-1));
  return writing.phases.map(toWritten);
};

const addEnd = (phase: Phase | undefined): void => {
  if (phase?.client.at(-1)?.symbol !== '|') return;
  phase.server[0] = [...(phase.server[0] ?? []), { frame: phase.frames, symbol: '|' }];
};

/** The phase that a line belongs to; a new one begins where the last is long enough. */
const phaseFor = (writing: Writing, line: LanedLine): Phase => {
  const last = writing.phases.at(-1);
  if (last && !isOver(writing, last, line)) return last;
  const open = [...writing.requests, ...writing.questions].filter((one) => one.open).map(({ letter }) => letter);
  if (!hasFree(writing.letters, FULL / 2)) writing.letters = keepLetters(writing.letters, open);
  const phase = { name: nameOf(line), client: [], server: [], values: [], frames: 0, calls: false };
  writing.phases.push(phase);
  return phase;
};

const isOver = ({ requests, letters }: Writing, { frames }: Phase, line: LanedLine): boolean => {
  if (line.side === 'end') return false;
  if (frames >= FULL || !hasFree(letters, 1)) return true;
  const [word] = line.side === 'client' ? line.heard.messages : [];
  if (word?.kind !== 'request' || requests.some(({ open }) => open)) return false;
  return frames >= LONG;
};

/** A phase is named for the first call in it. */
const isCall = (line: LanedLine): boolean =>
  line.side === 'client' && line.heard.messages.some((word) => word.kind === 'request' && word.method === 'tools/call');

const nameOf = (line: LanedLine): string => {
  if (line.side === 'end') return 'the end';
  const [word] = line.side === 'client' ? line.heard.messages : line.told.messages;
  if (word?.kind === 'response') return 'going on';
  return word && 'method' in word ? labelOf(word) : 'lines that are no messages';
};

const toWritten = ({ name, client, server, values }: Phase): WrittenPhase => {
  const lanes = server.length === 0 ? [[]] : server;
  const [first = '', ...others] = drawMarbles([client, ...lanes]).tracks.map(withoutTail);
  return { name, client: first, server: others, values };
};
