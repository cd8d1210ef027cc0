/** The metrics, in the order they run. Each has `name`, `needs`, `rows(scaled)` and `run`. */
import bigLines from './bigLines.mjs';
import cancel from './cancel.mjs';
import diagram from './diagram.mjs';
import diff from './diff.mjs';
import exec from './exec.mjs';
import executor from './executor.mjs';
import fleet from './fleet.mjs';
import list from './list.mjs';
import ping from './ping.mjs';
import pings from './pings.mjs';
import record from './record.mjs';
import replay from './replay.mjs';
import slowReader from './slowReader.mjs';
import startup from './startup.mjs';
import stored from './stored.mjs';
import threads from './threads.mjs';
import deltas from './turns/deltas.mjs';
import firstTurn from './turns/firstTurn.mjs';
import parallel from './turns/parallel.mjs';
import turn from './turns/turn.mjs';
import verify from './verify.mjs';

export const metrics = [
  startup,
  ping,
  pings,
  list,
  bigLines,
  slowReader,
  cancel,
  firstTurn,
  turn,
  deltas,
  parallel,
  threads,
  stored,
  exec,
  executor,
  fleet,
  record,
  replay,
  verify,
  diagram,
  diff, // biome-ignore format: one list
];

export const metricNames = metrics.map(({ name }) => name);
