/** `codex-rx rerun`: runs a recorded daemon again, from what its seams gave it. */

import { createLog } from '../../io/log/createLog';
import { secretValuesOf } from '../../io/log/secretValues';
import { isSame, toReport } from '../../tapes/diff/toReport';
import { problemOfMasks } from '../../tapes/matching/maskWords';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { overrideOption } from '../overrideOption';
import { startRerun } from '../rerun/startRerun';
import { tapeDeps } from '../tapeDeps';
import { MASK_OPTIONS, REPORT_OPTION, sessionOf } from '../tapeOptions';
import { columnsOf } from '../terminal';
import { daemonOf } from './daemonOf';
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
      describe: 'What is real instead of played from the tape: the configured model, or the commands and patches',
    },
    session: sessionOf('the file'),
    model: { alias: 'm', type: 'string', describe: 'With --live model: another model than the recorded one' },
    config: overrideOption('Settings that win over the recorded ones, as KEY=VALUE'),
    'trust-tape': {
      type: 'boolean',
      describe: 'With --live: the tape is yours, so its -c may name programs, and addresses that keys are sent to',
    },
    timeout: {
      type: 'number',
      above: 0,
      default: 10,
      describe: 'Seconds to wait for something that was recorded',
    },
    'allow-redacted': { type: 'boolean', describe: 'Run a tape whose secrets were removed' },
    ...MASK_OPTIONS,
    ...REPORT_OPTION,
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 rerun tape.jsonl', 'does this version still send the same, to the byte? No command runs, no model is asked'],
    ['$0 rerun tape.jsonl --live model -m gpt-5', 'what would another model have done? No command runs'],
    ['$0 rerun tape.jsonl -c approval_policy=\'"untrusted"\'', 'what would another policy have done?'],
  ],
  epilogue:
    'Exit codes: 0 the same (to the byte, unless something is live), 1 something differs, 2 the tape cannot be used. See docs/rerun.md.',
  problem: (given) => {
    if (given.model !== undefined && given.live !== 'model') return '--model goes with --live model';
    if (given['trust-tape'] && given.live === 'none') return '--trust-tape goes with --live';
    return problemOfMasks(given);
  },
  run: (given) => {
    const { file, session, live, timeout, report } = given;
    const { stdout, stderr, env } = process;
    const log = createLog({ level: 'error', stderr, secrets: () => secretValuesOf(env), env });
    const deps = {
      ...tapeDeps('rerun'),
      log,
      toDaemon: daemonOf({ ...given, trusts: given['trust-tape'], remark: remarkAs('rerun'), read: mcpServer.read }),
    };
    process.exitCode = exitCode.failed; // until the comparison has passed
    const allow = given['allow-redacted'] ? 'redacted' : 'whole';
    startRerun(deps, { path: file, session, allow }, { live, limitMs: timeout * 1000, words: given })
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
