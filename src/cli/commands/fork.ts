/** `codex-rx fork`: plays a tape up to a line against a server, and hands the server over to a live client. */
import type { Readable } from 'node:stream';
import {
  concat,
  concatMap,
  connect,
  defer,
  endWith,
  filter,
  map,
  merge,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  share,
  take,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { fromReadable } from '../../io/stdio/fromInput';
import { noBackpressure } from '../../streams/backpressure';
import { type Framing, splitMessages, toFramed } from '../../streams/bytes/splitMessages';
import { connectPeers } from '../../streams/connectPeers';
import { ofKind } from '../../streams/ofKind';
import { compare, type LaneResult } from '../../tapes/diff/compare';
import { toReport } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import type { RecordedLine, Session } from '../../tapes/format/tape';
import { framingOf } from '../../tapes/format/tapeLines';
import { type MaskWords, problemOfMasks } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { replayClient } from '../../tapes/replayClient/replayClient';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import {
  answerHandshake,
  type ForkItem,
  type ForkOutput,
  type ForkStep,
  forkLine,
  IDLE_FORK,
  sessionUpTo,
} from '../../tapes/sessions/fork';
import { untilEnded } from '../../tapes/sessions/playSession';
import { type ServerDeps, toServer } from '../../tapes/sessions/toServer';
import { defineCommand } from '../command';
import { failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { secondsOption } from '../option';
import type { TapeChoice } from '../replay/serveTape';
import { stopSignal } from '../signals';
import { MASK_OPTIONS, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { columnsOf, print, printData } from '../terminal';

const remark = remarkAs('fork');

export const fork = defineCommand({
  usage: '$0 fork FILE --at LINE -- COMMAND [ARGUMENTS]',
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
    timeout: secondsOption(30, 'Seconds to wait for the command while a response is due'),
    ...MASK_OPTIONS,
  },
  afterDashes: 'command',
  examples: [
    ['$0 fork tape.jsonl --at 42 -- my-server', 'put this into a client: its session begins where line 42 ended'],
    ['$0 fork tape.jsonl --at 42 --anyway -- my-server', 'even if my-server answers differently by now'],
  ],
  epilogue:
    'Exit codes: as the server ends; 1 if it answers differently from the tape, 2 if the tape or the command cannot be used. See docs/fork.md.',
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
      printData(`${output.line}\n`);
      return;
    case 'log':
      printData(`${output.line}\n`, process.stderr);
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
  print(toReport({ format: 'text', columns: columnsOf(process.stderr) }, results, ''), process.stderr);
  if (handedOver) remark('the client on standard input has the server now');
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

/** The live client is on stdin; `stop$` emits when the process is to end. */
type ForkDeps = LoadDeps & ServerDeps & { stdin: Readable; stop$: Observable<unknown> };

type ForkOptions = {
  command: readonly string[];
  /** Line of the tape up to which the client is played. */
  at: number;
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  /** What happens if the server answers differently. */
  onDifference: 'stop' | 'continue';
};

const PATIENCE_MS = 1_000;
const START: ForkStep = { state: IDLE_FORK, output: [] };

/** Emits lines for the live client, remarks, and how the beginning compares; completes when the server has ended, or if it is not handed over. */
const startForking = (deps: ForkDeps, choice: TapeChoice, options: ForkOptions): Observable<ForkOutput> =>
  loadSession(deps, choice.path, choice.session).pipe(
    concatMap((loaded) => {
      const session = sessionUpTo(checkWhole(loaded, choice.allow), options.at);
      const framing = framingOf(session);
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const check = (now: Session): readonly LaneResult[] =>
        compare(toSessionIndex(session), toSessionIndex(now), masks);
      return connectPeers(playThenLive(deps, { session, check }, options), toFar(deps, options, framing)).pipe(
        scan(({ state }, traffic) => forkLine(state, traffic), START),
        concatMap(({ output }) => output),
        map((output) => (output.kind === 'line' ? { ...output, line: toFramed(framing)(output.line) } : output)),
        takeWhile((output) => output.kind !== 'compared' || output.handedOver, true),
        takeUntil(deps.stop$),
      );
    }),
  );

type Beginning = { session: Session; check: (now: Session) => readonly LaneResult[] };

const playThenLive =
  (deps: ForkDeps, { session, check }: Beginning, options: ForkOptions): OperatorFunction<ServerEvent, ForkItem> =>
  (event$) =>
    defer(() => {
      const { limitMs, pace } = options;
      const played: RecordedLine[] = []; // filled until the server is handed over
      const patience = { patienceMs: Math.min(PATIENCE_MS, limitMs), limitMs, pace };
      const keep = (event: ServerEvent) => event.kind === 'line' && played.push({ dir: 'out', line: event.line });
      const handOver = () => {
        const now = toSession(session, played);
        const results = check(now);
        const differs = results.some(({ difference }) => difference);
        if (differs && options.onDifference === 'stop') return of<ForkItem>({ kind: 'differs', results });
        return concat(of<ForkItem>({ kind: 'live', results, now }), liveItems(deps, now));
      };
      return concat(
        event$.pipe(
          tap(keep),
          ofKind('line'),
          map(({ line }) => line),
          replayClient(toSessionIndex(session), patience),
          tap((line) => played.push({ dir: 'in', line })),
          map((line): ForkItem => ({ kind: 'line', line })),
        ),
        defer(() => (played.some(({ dir }) => dir === 'out') ? of(undefined) : startOf(event$.pipe(tap(keep))))).pipe(
          concatMap(handOver),
        ),
      );
    });

/** Emits once the server is known to run: a program that cannot be started is reported within this turn of Node. */
const startOf = (event$: Observable<ServerEvent>): Observable<unknown> =>
  merge(event$, timer(0)).pipe(
    take(1),
    filter((event) => event === 0 || event.kind !== 'ended' || event.exitCode !== undefined),
  );

const END: ForkItem = { kind: 'end' };

const toSession = ({ meta }: Session, played: readonly RecordedLine[]): Session => ({
  meta,
  entries: played.map((line, i) => ({ lineNumber: i + 1, entry: { t: i, ...line } })),
});

/** What the live client sends; its handshake is answered here, as the server has had one. */
const liveItems = ({ stdin }: ForkDeps, now: Session): Observable<ForkItem> =>
  fromReadable<Uint8Array>(stdin, noBackpressure).pipe(splitMessages(), map(answerHandshake(now)), endWith(END));

const toFar =
  (deps: ForkDeps, { command }: ForkOptions, framing: Framing): OperatorFunction<ForkItem, ServerEvent> =>
  (item$) =>
    item$.pipe(
      connect((shared$) =>
        shared$.pipe(
          ofKind('line'),
          takeUntil(shared$.pipe(ofKind('end'))),
          map(({ line }) => line),
          toServer(deps, command, framing)(NEVER),
        ),
      ),
      untilEnded(),
    );
