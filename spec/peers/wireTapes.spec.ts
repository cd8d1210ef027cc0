/**
 * Recorded scenarios of the real server of release 0.28.0, played on this one: the lines are equal, or declared as different with a
 * reason. `CODEX_RX_WIRE_TAPES` names the folder of `scenarios` and `transcripts`, `CODEX_RX_WIRE_TOOLS` that of `record.mjs`, which plays and
 * compares them. Both are larger than this project, so the scenarios are played only where both are named.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import declared from '../../docs/differences.json';
import { commandLine } from '../support/peer';

const { CODEX_RX_WIRE_TAPES: TAPES, CODEX_RX_WIRE_TOOLS: TOOLS } = process.env;
const PLAY_MS = 1_200_000;
const DECLARATIONS = join(__dirname, '../../docs/differences.json');

/** The last line of the report, such as `55 equal, 79 declared, 0 REQUESTS, 0 DIFFERS, 0 PROBLEMS, 0 STALE`. */
const countsOf = (report: string): Record<string, number> =>
  Object.fromEntries(
    (report.trim().split('\n').at(-1) ?? '').split(', ').map((part) => {
      const [count, word = ''] = part.split(' ');
      return [word, Number(count)];
    }),
  );

const play = (tapes: string, tools: string): string => {
  const [program, args] = commandLine('mcp-server', '--face', '0.28', '--engine', 'native');
  const options = ['--only', '^(?!v142-)', '--requests', 'no', '--declared', DECLARATIONS];
  const places = ['--scenarios', join(tapes, 'scenarios'), '--compare', join(tapes, 'transcripts')];
  const { stdout } = spawnSync(
    process.execPath,
    [join(tools, 'record.mjs'), ...options, ...places, '--', program, ...args],
    { encoding: 'utf8', maxBuffer: 67_108_864 },
  );
  return stdout;
};

describe('the recorded scenarios of 0.28.0', () => {
  it('are each declared with a reason, where they differ', () => {
    expect(Object.values(declared).filter((reason) => reason.length < 20)).toEqual([]);
  });

  if (TAPES !== undefined && TOOLS !== undefined) {
    it(
      'are equal, or declared',
      () => {
        const report = play(TAPES, TOOLS);
        expect({ report, ...countsOf(report) }).toMatchObject({ DIFFERS: 0, PROBLEMS: 0 });
      },
      PLAY_MS,
    );
  }
});
