/** `codex-rx record`: stands between a client and its server and writes what passes to a tape. */
import { join } from 'node:path';
import { concat, defer, EMPTY, type Observable, takeWhile, tap } from 'rxjs';
import { version } from '../../../package.json';
import { openTapeFile, type TapeFileDeps } from '../../app/tapes/openTapeFile';
import { makeNamedFolder, removeNamed } from '../../io/disk/namedHere';
import { homeWithBlankOf, secretValuesOf } from '../../io/log/secretValues';
import { isHttpUrl } from '../../io/mcpServer/httpAddress';
import { isNatsAddress } from '../../io/nats/natsAddress';
import { type RelayDeps, relayChild } from '../../io/processes/relayChild';
import { spawnHere } from '../../io/processes/spawnHere';
import { watchGroups } from '../../io/processes/watchGroups';
import { closedBy } from '../../streams/ends';
import { withResource } from '../../streams/withResource';
import { FAULT_SIGNS, flawOfFaults, readFaults } from '../../tapes/faults/faults';
import { type FaultyEvent, faultyPipe } from '../../tapes/faults/faultyPipe';
import { type CountedDeps, countedTape, type Target } from '../../tapes/files/countedTape';
import { type Ending, recordSession } from '../../tapes/format/recordSession';
import { defineCommand, type GivenTo } from '../command';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import type { Options } from '../option';
import { recordHttp } from '../record/recordHttp';
import { passedSignals } from '../signals';
import { HTTP_OPTIONS, natsOf, problemOfListening } from '../tapeCommand';
import { homeHere } from '../thisProcess';

/** As shells have it. */
const NOT_FOUND = 127;
const NOT_STARTED = 126;

const options = {
  out: {
    alias: 'o',
    type: 'string',
    describe:
      'The tape, to which a session is appended: a file, a folder with / for a new tape, nats://HOST/NAME. Default: a new tape here',
  },
  redact: { type: 'boolean', describe: 'Remove secrets before they reach the tape' },
  faults: {
    type: 'string',
    dashed: true,
    flawOf: flawOfFaults,
    describe: `What happens to each line of the server, in marbles: ${FAULT_SIGNS}`,
  },
  'client-faults': {
    type: 'string',
    dashed: true,
    flawOf: flawOfFaults,
    describe: 'The same for the lines of the client',
  },
  seed: { type: 'number', whole: true, default: 1, describe: 'Seed of the random choices of ? in faults' },
  quiet: { alias: 'q', type: 'boolean', describe: 'Write nothing to stderr but what the server writes' },
  ...HTTP_OPTIONS,
} as const satisfies Options;

const positionals = {} as const;

type Record = GivenTo<typeof options, typeof positionals>;

const problem = ({ command, http, 'allow-host': hosts, ...faults }: Record): string | undefined => {
  const [server] = command;
  if (server === undefined) return 'There is no server to run: write its command after --';
  if (http === undefined && isHttpUrl(server)) {
    return `${server} is a server over HTTP: name the port for its clients, as by --http 3001`;
  }
  if (http !== undefined && (command.length > 1 || !isHttpUrl(server))) {
    return '--http records a server behind a URL: write http://HOST/PATH after --';
  }
  if (http !== undefined && faults['client-faults'] !== undefined)
    return `--client-faults goes without --http; record a bridge to stdio, such as mcp-remote ${server}`;
  if (http !== undefined && /[#|]/.test(faults.faults ?? ''))
    return `# and | go without --http; record a bridge to stdio, such as mcp-remote ${server}`;
  return problemOfListening(http, hosts);
};

export const record = defineCommand({
  usage: '$0 record [--out FILE] [--faults ROW] [--http LISTEN] -- COMMAND [ARGUMENTS] | URL',
  positionals,
  options,
  afterDashes: 'command',
  examples: [
    ['$0 record -o tape.jsonl -- codex-rx mcp-server', 'put this into a client in place of the server'],
    ['$0 record -q -o tape.jsonl -- npx some-server', 'any stdio server; no remarks on stderr'],
    ["$0 record --faults '---x-2s-D' -o tape.jsonl -- npx some-server", 'and what the client does when lines are lost'],
    ['$0 record -o nats://nats.lan/nightly -- npx some-server', 'a tape of the team, see docs/fleet.md'],
    ['$0 record --http 3001 -o tape.jsonl -- http://127.0.0.1:3000/mcp', 'a server over HTTP: clients use port 3001'],
  ],
  epilogue: 'Ends as the server ends: with its exit code, or by the same signal. See docs/tapes.md.',
  problem,
  run: (given) => {
    const { out, quiet, redact, command, http } = given;
    const { env, pid, stdin, stdout, stderr } = process;
    const started = new Date();
    const name = `codex-rx-${started.toISOString().replaceAll(/[:.]/g, '-')}-${pid}.jsonl`;
    const folder = out?.endsWith('/') ? out : undefined;
    const isNats = isNatsAddress(out ?? '');
    const path = folder === undefined ? (out ?? name) : isNats ? folder + name : join(folder, name);
    const recording = {
      faults: faultsOf(given),
      now: () => performance.now(),
      remark: quiet ? () => {} : remarkAs('record'),
      version,
      hide: redact ? [...secretValuesOf(env), ...homeWithBlankOf(homeHere())] : undefined,
      folder: isNats ? undefined : folder,
      nats: natsOf('record'),
    };
    if (http !== undefined) return recordHttp(recording, { ...given, http, path });
    const child = { stdin, stdout, stderr, signal$: passedSignals(stderr.isTTY), env, started };
    endAsChild(startRecording({ ...recording, ...child }, path, command));
  },
});

/** Ends this process as the child ended, once the tape is closed. */
const endAsChild = (ending$: ReturnType<typeof startRecording>): void => {
  let end = (): void => process.exit(exitCode.failed);
  ending$
    .subscribe({
      next: (ending) => {
        end = ending.kind === 'exited' ? () => endAs(ending) : () => process.exit(codeOf(ending));
      },
      error: (error: Error) => {
        remarkAs('record')(`the tape cannot be written: ${error.message}; name another file by --out`);
        process.exit(exitCode.unusable);
      },
    })
    .add(() => end());
};

const codeOf = ({ code }: { code?: string }): number => (code === 'ENOENT' ? NOT_FOUND : NOT_STARTED);

const endAs = ({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): void => {
  if (signal === null) process.exit(code ?? exitCode.ok);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
};

/** `remark` shows a text to the user; `folder` is made if it is missing. */
type RecordingDeps = Omit<RelayDeps, 'spawn' | 'watch' | 'joins'> &
  CountedDeps &
  TapeFileDeps & { folder?: string; faults: GivenFaults | undefined };

/** Rows of faults as they were written. */
type GivenFaults = { server?: string; client?: string; seed: number };

const faultsOf = ({ faults: server, 'client-faults': client, seed }: Record): GivenFaults | undefined =>
  server === undefined && client === undefined
    ? undefined
    : { ...(server !== undefined && { server }), ...(client !== undefined && { client }), seed };

const joinsOf = ({ server = '', client = '', seed }: GivenFaults): RelayDeps<FaultyEvent>['joins'] => {
  const [out, into] = [readFaults(server), readFaults(client)];
  return {
    ...(out && { out: faultyPipe({ dir: 'out', faults: out, seed, stop$: passedSignals(false) }) }),
    ...(into && { in: faultyPipe({ dir: 'in', faults: into, seed, stop$: passedSignals(false) }) }),
  };
};

/**
 * Runs a command between the client on the standard streams and a tape. Emits how the command ended; completes when all output is written
 * and the tape is on the disk; a new tape of a command that could not be started is removed. Errors when the tape cannot be opened; then
 * nothing was started.
 */
const startRecording = (deps: RecordingDeps, path: string, command: readonly string[]): Observable<Ending> =>
  defer(() => {
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    return openTapeFile(deps, path).pipe(
      withResource((file) => {
        if (file.path !== path) deps.remark(`another recorder writes to ${path}`);
        return recorded(deps, { path: file.path, file }, command);
      }),
    );
  });

const recorded = (deps: RecordingDeps, target: Target, command: readonly string[]): Observable<Ending> => {
  let isUnused = isNew(target);
  const { faults, remark } = deps;
  const { tape, close } = countedTape(deps, target, { command, ...(faults && { faults }) });
  remark(`recording to ${target.path}`);
  const relay = {
    ...deps,
    spawn: spawnHere,
    watch: watchGroups({ spawn: spawnHere }),
    joins: faults && joinsOf(faults),
  };
  return relayChild<FaultyEvent>(relay, command).pipe(
    tap((event) => event.kind === 'fault' && remark(event.text)),
    takeWhile(({ kind }) => kind !== 'exited', true), // a crash by a fault unsubscribes, which ends the server
    recordSession(tape),
    tap((event) => {
      if (event.kind === 'failed') remark(`the server could not be started: ${event.reason}`);
      else isUnused = false;
    }),
    closedBy(() =>
      concat(
        close(),
        defer(() => (isUnused ? discard(deps, target) : EMPTY)),
      ),
    ),
  );
};

const isNew = ({ file }: Target): boolean => file.isFile && file.size() === 0;

const discard = ({ remark }: RecordingDeps, { path }: Target): Observable<never> => {
  removeNamed(path);
  remark(`${path} is removed, as nothing was recorded`);
  return EMPTY;
};
