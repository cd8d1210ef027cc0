/** `codex-rx check`: finds what is wrong in recorded sessions, for CI. */
import { version } from '../../../package.json';
import { RULES } from '../../tapes/check/finding';
import { isPassed, toCheckReport } from '../../tapes/check/toCheckReport';
import { toIgnoredMethod } from '../../tapes/matching/ignore';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { tapeDeps } from '../tapeDeps';
import { REPORT_OPTION, sessionOf, TAPE_FILE } from '../tapeOptions';
import { startChecking } from '../tapes/startChecking';

export const check = defineCommand({
  usage: '$0 check TAPE|FOLDER [MORE...]',
  positionals: {
    file: { ...TAPE_FILE, describe: 'A tape: a file, nats://HOST/NAME, or - for stdin; or a folder of tapes' },
    more: { type: 'string', array: true, describe: 'More tapes or folders' },
  },
  options: {
    session: { ...sessionOf('each file'), describe: 'Only the session with this number, from 1. Default: all' },
    allow: { type: 'string', array: true, choices: RULES, describe: 'Switch this rule off' },
    slow: {
      type: 'number',
      above: 0,
      describe: 'Find methods and tools whose 99th percentile of response times is above this, in ms',
    },
    forbid: { type: 'string', array: true, describe: 'Find calls of this tool; * is any text' },
    baseline: {
      type: 'string',
      describe: 'Find tools that differ from those of this tape, or of this JSON file with "tools"',
    },
    har: { type: 'string', describe: 'Write all calls to this new file as HAR' },
    otlp: { type: 'string', describe: 'Write all calls to this new file as OTLP/JSON traces' },
    ...REPORT_OPTION,
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 check tapes/', 'hung calls, unanswered requests, errors, lines on stdout that are not messages'],
    ['$0 check tapes/ --slow 2000 --forbid "delete_*" --report junit', 'also slow and forbidden tools, for CI'],
    ['$0 check monday.jsonl tuesday.jsonl', 'one report on both'],
    ['$0 check tape.jsonl --baseline tools.jsonl', 'has the server changed, added or removed a tool?'],
    ['$0 check tape.jsonl --allow error --otlp traces.json', 'errors are expected; traces for a viewer'],
  ],
  epilogue: 'Exit codes: 0 nothing found, 1 something found, 2 a tape cannot be used. See docs/check.md.',
  problem: ({ file, more }) =>
    [file, ...more].filter((path) => path === '-').length > 1 ? 'only one of the files can be stdin' : undefined,
  run: ({ file, more, session, allow, slow, forbid, baseline, har, otlp, report }) => {
    const { stdout } = process;
    const options = { allowed: allow, slowMs: slow, forbidden: forbid.map(toIgnoredMethod) };
    const paths = [file, ...more];
    startChecking({ ...tapeDeps('check'), version }, { paths, session, options, baseline, har, otlp })
      .subscribe({
        next: (sessions) => {
          stdout.write(toCheckReport(report, sessions));
          if (!sessions.every(isPassed)) process.exitCode = exitCode.failed;
          if (sessions.some(({ problem }) => problem !== undefined)) process.exitCode = exitCode.unusable;
        },
        error: failAs('check'),
      })
      .add(exitWhenWritten('check'));
  },
});
