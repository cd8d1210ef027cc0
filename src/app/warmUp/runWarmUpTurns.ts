/** Two turns in memory, so that V8 has compiled what a turn needs, of Node too, before a client waits for one. */
import { join, parse } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import {
  concat,
  concatMap,
  defer,
  first,
  from,
  ignoreElements,
  merge,
  NEVER,
  type Observable,
  of,
  share,
  takeWhile,
  timer,
} from 'rxjs';
import { decodeUtf8, splitLines } from '../../streams';
import { backpressureOf, fromReadable } from '../../transport';
import { createLog } from '../log';
import type { ProcessInfo } from '../processInfo';
import type { PlayedSeams } from '../seamPorts';
import { serve } from '../serve';
import { diskInMemory } from './diskInMemory';
import { modelInMemory } from './modelInMemory';
import { sessionOptions } from './sessionOptions';
import { threadsInMemory } from './threadsInMemory';

/** Where the program is, which is all that the warm-up knows of the machine. */
export type WarmUpDeps = Pick<ProcessInfo, 'dist' | 'version' | 'platform'>;

/** Between two requests, so that input of the client is read. */
const PAUSE_MS = 1;

const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'warm-up', version: '1' } };
const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });

/** A second turn of each kind would bring a client little more. */
const REQUESTS = [
  { method: 'initialize', params: client },
  { method: 'tools/list' },
  call('codex', { prompt: 'a', 'approval-policy': 'never', sandbox: 'danger-full-access' }),
  call('codex-reply', { prompt: 'b' }),
];

const OPTIONS = sessionOptions({ provider: 'memory', url: 'http://127.0.0.1:9/v1', limitMs: 10_000 });

/**
 * Serves a session of two turns of the native engine, from bytes to bytes, with a model and a thread store in memory: nothing is read, written,
 * started or reached. Emits nothing; completes after the last turn. Input is read between its parts; the longest part takes some
 * milliseconds; whoever has input to serve unsubscribes.
 */
export const runWarmUpTurns = (deps: WarmUpDeps): Observable<never> =>
  defer(() => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const log = createLog({ level: 'error', stderr, secrets: () => [] });
    const processInfo = { ...deps, ...nowhere(deps) };
    const own = { processInfo, seams: seams(processInfo), connect: modelInMemory, disk: diskInMemory(processInfo.cwd) };
    const served$ = serve({ ...own, stdin, stdout, stop$: NEVER, log }, OPTIONS);
    const line$ = fromReadable<Uint8Array>(stdout, backpressureOf(stdout, Number.POSITIVE_INFINITY)).pipe(
      decodeUtf8(),
      splitLines(),
      share(),
    );
    return merge(line$, served$, concat(asked(stdin, line$), of(OVER))).pipe(
      takeWhile((item) => item !== OVER),
      ignoreElements(),
    );
  });

const OVER = Symbol('the end of the warm-up');

/** Sends one request after another, each a pause after the result of the one before. */
const asked = (stdin: Writable, line$: Observable<string>): Observable<never> =>
  from(REQUESTS).pipe(
    concatMap((request, id) => {
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
      const answered$ = line$.pipe(first((line) => line.includes(`"id":${id},"result"`)));
      return concat(answered$, timer(PAUSE_MS));
    }),
    ignoreElements(),
  );

const nowhere = ({ dist }: WarmUpDeps) => ({
  env: {},
  node: '',
  arch: '',
  cwd: parse(dist).root,
  codexHome: join(dist, 'no-home'),
});

const seams = ({ codexHome }: ProcessInfo): PlayedSeams => ({
  model: (plain) => plain,
  backend: () => ({ start: () => NEVER }),
  requests: () => () => NEVER,
  reach: () => () => NEVER,
  patches: (plain) => plain,
  threads: () => () => threadsInMemory(codexHome),
  host: (plain) => plain,
  choice: () => of({ engine: 'native', reason: 'a warm-up turn' }),
  after: timer,
  afterIdle: timer,
  chance: (_, draw) => draw,
  effects: 'none',
});
