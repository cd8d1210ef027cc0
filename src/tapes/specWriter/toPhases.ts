/** Writes lines of a session as phases of marbles, with what their letters stand for. */
import { drawMarbles, withoutTail } from '../../streams/marbles/drawMarbles';
import type { Handles } from '../handles/handles';
import { type Phase, withServerEnd } from './phase';
import type { SelectedLine } from './selectLines';
import { type Holes, toHoles } from './toHoles';
import { type LanedLine, toLanes } from './toLanes';
import { openWriting, phasesOf, writeLine } from './writeLine';

/** A part of a session in marbles. `values` are the letters that mean something new in it. */
export type WrittenPhase = {
  name: string;
  client: string;
  server: string[];
  values: Phase['values'];
};

/** Whether the tape shows that the server exited with code 0 after the end of its input. */
export type Ending = 'exitedWell' | 'unknown';

/** The phases of one session, which has these handles. */
export const toPhases = (lines: readonly SelectedLine[], handles: Handles, ending: Ending): WrittenPhase[] =>
  toWrittenPhases(toLanes(lines), toHoles(lines, handles), ending);

/** The phases of lines whose rows and holes are known. */
export const toWrittenPhases = (lines: readonly LanedLine[], holes: Holes, ending: Ending): WrittenPhase[] => {
  const phases = phasesOf(lines.reduce(writeLine, openWriting(holes)));
  return phases.map((phase, i) =>
    toWritten(ending === 'exitedWell' && i === phases.length - 1 ? withServerEnd(phase) : phase),
  );
};

const toWritten = ({ name, client, server, values }: Phase): WrittenPhase => {
  const lanes = server.length === 0 ? [[]] : server;
  const [first = '', ...others] = drawMarbles([client, ...lanes]).tracks.map(withoutTail);
  return { name, client: first, server: others, values };
};
