/** `codex-rx demo`: shows a whole session with an embedded model. */
import { join } from 'node:path';
import { connect, map, merge } from 'rxjs';
import { version } from '../../../package.json';
import { writeLines } from '../../io/stdio/writeLines';
import { noColours, toTerminalLine } from '../../io/terminal/paint';
import { ofKind } from '../../streams/ofKind';
import { defineCommand } from '../command';
import { startDemo } from '../demo/startDemo';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';
import { hasColours, inLocale } from '../terminal';
import { drawDeps, startDrawing } from './diagram';

const PAGE = { axis: 'ordinal', taken: 'error', paint: noColours, width: 0 } as const;
const MIN_WIDTH = 60;
const MAX_WIDTH = 80;

export const demo = defineCommand({
  usage: '$0 demo',
  positionals: {},
  options: {
    ask: { type: 'boolean', describe: 'Let you answer the approval request, with y or n, instead of approving it' },
    raw: { type: 'boolean', describe: 'Show the JSON lines on the wire instead of marbles' },
    keep: { type: 'boolean', describe: 'Keep the temporary folders, a tape of the session and its page' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 demo', 'watch a call, an approval, a command, a file'],
    ['$0 demo --ask', 'approve or decline yourself'],
    ['$0 demo --raw', 'see the JSON lines on the wire'],
  ],
  run: ({ ask, raw, keep }) => {
    startDemo(demoProcess(), {
      answers: ask ? 'person' : 'yes',
      draw: raw ? 'json' : 'marbles',
      colour: hasColours(process) ? 'on' : 'off',
      leave: keep ? 'folders' : 'nothing',
    })
      .pipe(
        connect((shown$) =>
          merge(
            shown$.pipe(
              ofKind('line'),
              map(({ text }) => inLocale(toTerminalLine(text), process.stdout)),
              writeLines(process.stdout),
            ),
            shown$.pipe(ofKind('over')),
          ),
        ),
      )
      .subscribe({
        next: ({ exitCode: code }) => {
          process.exitCode = code;
        },
        error: (error: Error) => {
          remarkAs('demo')(`the demonstration failed: ${error.message}`);
          process.exitCode = exitCode.failed;
        },
      })
      .add(() => process.exit()); // after every teardown: the server has ended and the folders are removed
  },
});

const demoProcess = () => {
  const { stdin, stdout, env, execPath } = process;
  return {
    env,
    execPath,
    bin: join(__dirname, '..', 'bin', 'codex-rx.js'),
    version,
    width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, stdout.columns || MAX_WIDTH)),
    stdin,
    drawPage: (tape: string, page: string) => startDrawing(drawDeps('demo'), tape, { ...PAGE, out: page }),
    stop$: stopSignal().pipe(map(() => 'it was stopped')),
  };
};
