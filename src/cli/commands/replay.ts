/** `codex-rx replay`: plays a tape, as the server of a client or as the client of a server. */
import { basename } from 'node:path';
import { map, share, takeUntil } from 'rxjs';
import { version } from '../../../package.json';
import { openSteps, startServing, startVerifying, type TapeChoice } from '../../app/tape';
import { toReport } from '../../diff';
import { defineCommand, type GivenTo } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import type { Options } from '../option';
import { stopSignal } from '../stopSignal';
import { MASK_OPTIONS, masksOf, problemOfMasks, REPORT_OPTION, sessionOf, TAPE_FILE } from '../tapeOptions';

const BOTH = 'Which tape:';
const AS_SERVER = 'As a server (no command behind --):';
const AS_CLIENT = 'As a client (of the command behind --):';

const options = {
  session: { ...sessionOf('the file'), group: BOTH },
  'allow-redacted': {
    group: BOTH,
    type: 'boolean',
    describe: 'Play a tape whose secrets were removed, although its lines are not the original ones',
  },
  speed: {
    group: AS_SERVER,
    type: 'string',
    default: 'max',
    describe: 'How many times as fast as recorded: 1, 10, or max for no waiting',
  },
  loop: {
    group: AS_SERVER,
    type: 'boolean',
    describe: 'Start over when a request comes more often than it was recorded',
  },
  lenient: {
    group: AS_SERVER,
    type: 'boolean',
    describe: 'Answer a request that was not recorded like the nearest one of its method and tool; stderr reports it',
  },
  step: {
    group: AS_SERVER,
    type: 'boolean',
    describe: 'Send each line on Enter in the terminal; stderr shows the next one',
  },
  'step-fd': {
    group: AS_SERVER,
    type: 'number',
    from: 3,
    whole: true,
    describe: 'Send lines on demand of this file descriptor: a number of lines, or all',
  },
  mask: { ...MASK_OPTIONS.mask, group: AS_CLIENT },
  unmask: { ...MASK_OPTIONS.unmask, group: AS_CLIENT },
  report: { ...REPORT_OPTION.report, group: AS_CLIENT },
  update: {
    group: AS_CLIENT,
    type: 'boolean',
    describe: 'Replace the session on the tape by what the command sends now',
  },
  timeout: {
    group: AS_CLIENT,
    type: 'number',
    above: 0,
    default: 30,
    describe: 'Seconds to wait for the command while a response is due',
  },
} as const satisfies Options;

const positionals = { file: { ...TAPE_FILE, describe: 'The tape; - for stdin, with a command' } } as const;

type Replay = GivenTo<typeof options, typeof positionals>;

/** What does not go together. stdin is the client's where there is no command. */
const problem = ({ file, speed, step, 'step-fd': fd, mask, command }: Replay): string | undefined => {
  if (speed !== 'max' && !(Number(speed) > 0)) return '--speed must be a number above 0, or max';
  if (file === '-' && command.length === 0) {
    return 'A server has its client on stdin, so the tape must be a file; - works with a command behind --';
  }
  if ((step || fd !== undefined) && speed !== 'max') return '--step goes by no clock, so --speed must be max';
  return problemOfMasks({ mask });
};

export const replay = defineCommand({
  usage: '$0 replay FILE [-- COMMAND [ARGUMENTS]]',
  positionals,
  options,
  behind: 'command',
  examples: [
    ['$0 replay tape.jsonl', 'a server that answers a client on stdin as recorded'],
    ['$0 replay tape.jsonl --speed 1', 'at the pace of the recording'],
    ['$0 replay tape.jsonl -- my-server', 'does my-server still answer the same? Exit code 1 if not'],
    ['$0 replay tape.jsonl --report junit -- my-server', 'the same, for CI'],
  ],
  epilogue: 'Exit codes: 0 all as recorded, 1 something differs, 2 the tape cannot be used. See docs/tapes.md.',
  problem,
  run: (given) => {
    const { file, session, 'allow-redacted': allowsRedacted, command } = given;
    const choice: TapeChoice = { path: file, session, allow: allowsRedacted ? 'redacted' : 'whole' };
    if (command.length > 0) verify(given, choice);
    else serve(given, choice);
  },
});

const remark = remarkAs('replay');

const serve = ({ speed, loop, lenient, step, 'step-fd': fd }: Replay, choice: TapeChoice): void => {
  const { stdin, stdout } = process;
  const step$ = step || fd !== undefined ? openSteps(fd) : undefined;
  startServing({ stdin, stdout, stop$: stopSignal().pipe(share()), step$, remark }, choice, {
    speed: speed === 'max' ? 'max' : Number(speed),
    repeat: loop ? 'again' : 'once',
    match: lenient ? 'nearest' : 'strict',
  })
    .subscribe({
      next: ({ kind, text }) => {
        remark(text);
        if (kind === 'unrecorded') process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(() => process.exit());
};

const verify = (given: Replay, choice: TapeChoice): void => {
  const { stdin, stdout, env } = process;
  const { command, report, timeout, update } = given;
  process.exitCode = exitCode.failed; // until the comparison has passed
  startVerifying({ stdin, remark, env, cwd: process.cwd(), version, started: new Date() }, choice, {
    command,
    masks: masksOf(given),
    limitMs: timeout * 1000,
    write: update ? 'tape' : 'nothing',
  })
    .pipe(
      map((results) => ({
        text: toReport(report, results, basename(choice.path)),
        differs: results.some(({ difference }) => difference),
      })),
      takeUntil(stopSignal()),
    )
    .subscribe({
      next: ({ text, differs }) => {
        stdout.write(text);
        process.exitCode = !update && differs ? exitCode.failed : exitCode.ok;
      },
      error: failAs('replay'),
    })
    .add(exitWhenWritten('replay'));
};
