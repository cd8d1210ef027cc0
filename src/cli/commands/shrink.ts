/** `codex-rx shrink`: finds the few lines of a tape at which a server differs or crashes. */
import { concatMap, map, NEVER, of, shareReplay } from 'rxjs';
import { version } from '../../../package.json';
import { toReport } from '../../tapes/diff/toReport';
import { problemOfMasks } from '../../tapes/matching/maskWords';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { interruption } from '../signals';
import { MASK_OPTIONS, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { type Shrunk, startShrinking } from '../tapes/startShrinking';
import { type SpecRequest, startWritingSpec } from '../tapes/startWritingSpec';
import { columnsOf, print } from '../terminal';

export const shrink = defineCommand({
  usage: '$0 shrink TAPE [-o FILE] -- COMMAND [ARGUMENTS]',
  positionals: { file: TAPE_FILE },
  options: {
    out: { alias: 'o', type: 'string', describe: 'A new file for the shorter tape' },
    spec: { type: 'string', describe: 'A new file for a marble spec of it, for node --test; needs --out' },
    session: sessionOf('the file'),
    'allow-redacted': { type: 'boolean', describe: 'Play a tape whose secrets were removed' },
    timeout: {
      type: 'number',
      above: 0,
      default: 10,
      describe: 'Seconds to wait for the command while a response is due',
    },
    repeat: {
      type: 'number',
      from: 1,
      whole: true,
      default: 2,
      describe: 'How often the whole session is played first; what differs between these runs is left out',
    },
    'max-runs': {
      type: 'number',
      from: 1,
      whole: true,
      default: 200,
      describe: 'How often the command is started at most',
    },
    ...MASK_OPTIONS,
  },
  afterDashes: 'command',
  examples: [
    ['$0 shrink tape.jsonl -o small.jsonl -- my-server', 'the fewest requests that show the first difference'],
    ['$0 shrink tape.jsonl -o small.jsonl --spec small.test.mjs -- my-server', 'and a spec of a few columns'],
  ],
  epilogue:
    'Exit codes: 0 the tape was shrunk, 130 or 143 it was stopped by a signal, after what was found is written, 1 the command answers as recorded, or differently each time, 2 the tape or the command cannot be used. See docs/shrink.md.',
  problem: (given) => {
    if (given.command.length === 0) return 'There is no server to run: write its command after --';
    if (given.spec !== undefined && given.out === undefined)
      return '--spec is written from the shorter tape: name a file for it by --out';
    return problemOfMasks(given);
  },
  run: (given) => {
    const { env } = process;
    const { file, session, command, timeout, out, spec } = given;
    const stop$ = interruption().pipe(shareReplay(1));
    const deps = { ...tapeDeps('shrink'), env, cwd: process.cwd(), version, started: new Date(), stop$ };
    const choice = { path: file, session, allow: given['allow-redacted'] ? 'redacted' : 'whole' } as const;
    startShrinking(deps, choice, {
      command,
      words: given,
      limitMs: timeout * 1000,
      pace: 'needed',
      wholeRuns: given.repeat,
      maxRuns: given['max-runs'],
      out,
      spec,
    })
      .pipe(
        concatMap((shrunk) => {
          if (shrunk.kind !== 'shrunk' || out === undefined || spec === undefined) return of(shrunk);
          return startWritingSpec({ ...tapeDeps('shrink'), version }, specOf(out, spec, command)).pipe(
            map(() => shrunk),
          );
        }),
      )
      .subscribe({ next: (shrunk) => print(toText(shrunk)), error: failAs('shrink') })
      .add(exitWhenWritten('shrink'));
  },
});

const specOf = (path: string, out: string, command: readonly string[]): SpecRequest => ({
  path,
  out,
  command,
  consent: () => NEVER, // the command is that of the person
  choice: {},
  against: 'command',
  runner: 'node',
});

const toText = (shrunk: Shrunk): string => {
  if (shrunk.kind !== 'shrunk') {
    process.exitCode = exitCode.failed;
    return NOT_SHRUNK[shrunk.kind];
  }
  const { before, after, runs, results } = shrunk;
  const report = toReport({ format: 'text', columns: columnsOf(process.stdout) }, results, '');
  return `${report}SHRUNK: from ${before} lines of the client to ${after}, besides the handshake, in ${runs} runs\n`;
};

const NOT_SHRUNK = {
  same: 'SAME: the command answers as recorded, so there is nothing to shrink\n',
  unstable:
    'UNSTABLE: the command differs from the tape in other ways each time, so there is no failure to follow; --mask and --ignore-path leave more out, and a command that keeps files has to empty its folder at each start\n',
};
