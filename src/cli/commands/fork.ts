/** `codex-rx fork`: plays a tape up to a line against a server, and hands the server over to a live client. */
import { share } from 'rxjs';
import { version } from '../../../package.json';
import { toReport } from '../../tapes/diff/toReport';
import { problemOfMasks } from '../../tapes/matching/maskWords';
import type { ForkOutput } from '../../tapes/sessions/fork';
import { defineCommand } from '../command';
import { failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import { tapeDeps } from '../tapeDeps';
import { MASK_OPTIONS, sessionOf, TAPE_FILE } from '../tapeOptions';
import { startForking } from '../tapes/startForking';
import { columnsOf } from '../terminal';

const remark = remarkAs('fork');

export const fork = defineCommand({
  usage: '$0 fork TAPE --at LINE -- COMMAND [ARGUMENTS]',
  positionals: { file: { ...TAPE_FILE, describe: 'The tape' } },
  options: {
    at: {
      type: 'number',
      from: 1,
      whole: true,
      describe: 'Line of the tape up to which its client is played, as diff and replay name it. Default: all of it',
    },
    session: sessionOf('the file'),
    'allow-redacted': { type: 'boolean', describe: 'Play a tape whose secrets were removed' },
    anyway: { type: 'boolean', describe: 'Hand over even if the server answers differently from the tape' },
    timeout: {
      type: 'number',
      above: 0,
      default: 30,
      describe: 'Seconds to wait for the command while a response is due',
    },
    ...MASK_OPTIONS,
  },
  afterDashes: 'command',
  examples: [
    ['$0 fork tape.jsonl --at 42 -- my-server', 'put this into a client: its session begins where line 42 ended'],
    ['$0 fork tape.jsonl --at 42 --anyway -- my-server', 'even if my-server answers differently by now'],
  ],
  epilogue:
    'Exit codes: that of the server; 1 if it answers differently from the tape, 2 if the tape or the command cannot be used. See docs/fork.md.',
  problem: (given) => {
    if (given.command.length === 0) return 'There is no server to run: write its command after --';
    return given.file === '-' ? 'The live client is on stdin, so the tape must be a file' : problemOfMasks(given);
  },
  run: (given) => {
    const { env } = process;
    const { file, session, at, command, timeout, anyway } = given;
    const choice = { path: file, session, allow: given['allow-redacted'] ? 'redacted' : 'whole' } as const;
    const deps = { ...tapeDeps('fork'), env, cwd: process.cwd(), version, started: new Date() };
    startForking({ ...deps, stop$: stopSignal().pipe(share()) }, choice, {
      command,
      at: at ?? Number.POSITIVE_INFINITY,
      words: given,
      limitMs: timeout * 1000,
      pace: 'needed',
      onDifference: anyway ? 'continue' : 'stop',
    })
      .subscribe({ next: show, error: failAs('fork') })
      .add(() => process.stdout.write('', () => process.exit()));
  },
});

const show = (output: ForkOutput): void => {
  switch (output.kind) {
    case 'line':
      process.stdout.write(`${output.line}\n`);
      return;
    case 'log':
      process.stderr.write(`${output.line}\n`);
      return;
    case 'compared':
      showComparison(output);
      return;
    case 'ended':
      showEnd(output);
  }
};

const showComparison = ({ results, handedOver }: Extract<ForkOutput, { kind: 'compared' }>): void => {
  const differs = results.some(({ difference }) => difference);
  process.stderr.write(toReport({ format: 'text', columns: columnsOf(process.stderr) }, results, ''));
  if (handedOver) remark('the server is yours');
  if (differs && !handedOver) {
    remark('the server answers differently from the tape, so it is not handed over; --anyway hands it over');
    process.exitCode = exitCode.failed;
  }
};

/** The exit code of the comparison stays. */
const showEnd = ({ trouble, exitCode: code }: Extract<ForkOutput, { kind: 'ended' }>): void => {
  if (code === undefined) {
    remark(trouble);
    process.exitCode = exitCode.unusable;
  } else process.exitCode ??= code;
};
