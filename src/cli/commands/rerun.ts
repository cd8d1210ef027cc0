/** `codex-rx rerun`: runs a recorded daemon again, from what its seams gave it. */
import { resolve } from 'node:path';
import { createLog } from '../../app/log';
import { type Daemon, startRerun } from '../../app/rerun';
import { TapeError } from '../../app/tape';
import { isSame, toReport } from '../../diff';
import { secretValuesOf } from '../../log';
import { problemOfMasks } from '../../session';
import type { Session } from '../../tape';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { type Serve, toServeOptions } from '../serve/serveProcess';
import { MASK_OPTIONS, REPORT_OPTION, sessionOf } from '../tapeOptions';
import { columnsOf } from '../terminal';
import { thisProcess } from '../thisProcess';
import { mcpServer } from './mcpServer';

export const rerun = defineCommand({
  usage: '$0 rerun FILE [--live model|executor]',
  positionals: {
    file: { type: 'string', required: true, describe: 'A tape that mcp-server --record made; - for stdin' },
  },
  options: {
    live: {
      type: 'string',
      choices: ['none', 'model', 'executor'],
      default: 'none',
      describe: 'What is not played from the tape but real: the model that is configured, or the commands and patches',
    },
    session: sessionOf('the file'),
    model: { alias: 'm', type: 'string', describe: 'With --live model: another model than the recorded one' },
    config: {
      alias: 'c',
      type: 'string',
      array: true,
      describe: 'Settings that win over the recorded ones, as KEY=VALUE',
    },
    timeout: {
      type: 'number',
      above: 0,
      default: 10,
      describe: 'Seconds to wait for something that was recorded',
    },
    ...MASK_OPTIONS,
    ...REPORT_OPTION,
  },
  behind: 'nothing',
  examples: [
    ['$0 rerun tape.jsonl', 'does this version still say the same to the byte? Nothing runs, no model is asked'],
    ['$0 rerun tape.jsonl --live model -m gpt-5', 'what would another model have done? No command runs'],
    ['$0 rerun tape.jsonl -c approval_policy=\'"untrusted"\'', 'what would another policy have done?'],
  ],
  epilogue:
    'Exit codes: 0 the same (to the byte, unless something is live), 1 something differs, 2 the tape cannot be used. See docs/rerun.md.',
  problem: (given) => {
    if (given.model !== undefined && given.live !== 'model') return '--model goes with --live model';
    return problemOfMasks(given);
  },
  run: (given) => {
    const { file, session, live, timeout, report } = given;
    const { stdin, stdout, stderr, env } = process;
    const log = createLog({ level: 'error', stderr, secrets: () => secretValuesOf(env), env });
    const deps = { stdin, remark: remarkAs('rerun'), log, toDaemon: daemonOf(given) };
    process.exitCode = exitCode.failed; // until the comparison has passed
    startRerun(deps, { path: file, session, allow: 'whole' }, { live, limitMs: timeout * 1000, words: given })
      .subscribe({
        next: ({ bytes, lines, results, first }) => {
          const alike = isSame({ name: file, results });
          if (bytes === 'same' && report === 'text') stdout.write(`SAME to the byte: ${lines} lines of the server\n`);
          else stdout.write(toReport({ format: report, columns: columnsOf(stdout) }, results, file));
          if (alike && bytes === 'different' && live === 'none')
            remarkAs('rerun')(
              `the first line that differs: recorded ${first?.recorded ?? 'none'}; now ${first?.now ?? 'none'}`,
            );
          process.exitCode = bytes === 'same' || (live !== 'none' && alike) ? exitCode.ok : exitCode.failed;
        },
        error: failAs('rerun'),
      })
      .add(exitWhenWritten('rerun'));
  },
});

type Changes = { model?: string; config: readonly string[] };

/** The daemon that a tape is of, with changed settings, which win over the recorded flags too. */
const daemonOf =
  ({ model, config }: Changes) =>
  ({ meta }: Session): Daemon => {
    const given = argumentsIn(meta.command);
    if (given.engine === 'app-server' || given.engine === 'tape') {
      throw new TapeError(`the tape is of --engine ${given.engine}; only the native engine can be run again`);
    }
    const recorded = toServeOptions({ ...given, engine: 'native', model: model ?? given.model });
    const options = { ...recorded, overrides: [...recorded.overrides, ...config] };
    const here = thisProcess();
    const cwd = resolve(typeof meta.cwd === 'string' ? meta.cwd : here.cwd, given.cd ?? '');
    return { options, processInfo: { ...here, cwd } };
  };

const argumentsIn = (command: unknown): Serve => {
  const words = Array.isArray(command) ? command.slice(1).map(String) : [];
  const [first = ''] = words;
  const argv = ['mcp-server', 'mcp'].includes(first) ? words.slice(1) : words;
  const reading = mcpServer.read(argv);
  if (reading.kind === 'given' && reading.given.record !== undefined) return reading.given;
  throw new TapeError(
    'the tape lacks what model and commands sent to the server; rerun needs one of codex-rx mcp-server --record FILE; for any other tape there is codex-rx replay',
  );
};
