/** The checks of this machine: the engine, the server itself, the sandbox, NATS. */
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  last,
  map,
  type Observable,
  of,
  reduce,
  switchMap,
  take,
  throwError,
  timeout,
} from 'rxjs';
import { credentials } from '../../agent/modelHttp/credentials';
import { listModels, type ModelList } from '../../agent/modelHttp/listModels';
import { modelLogin } from '../../agent/native/modelLogin';
import { configureOf, type Wiring } from '../../agent/wiring/wiring';
import type { enginesOf } from '../../app/engines/engines';
import type { Backend } from '../../executor/backend';
import { childTransport } from '../../executor/processTransport';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { NatsLink } from '../../fleet/link/natsLink';
import { httpPost } from '../../io/http/sendRequest';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { presentVariables } from '../../io/processes/markedEnvironment';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { isObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import { ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import { nearest } from '../../streams/text/nearest';
import { clip } from '../../streams/text/trim';
import { inputFirst } from '../../streams/time/limits';
import type { Result } from './finding';

type OwnServerDeps = { backend: Backend; argv: readonly string[]; processInfo: ProcessInfo; log: Log };

const LIMIT_MS = 10_000;
const CLIENT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'codex-rx-doctor', title: 'codex-rx doctor', version: '1' },
};

/** Emits the tools of the server once it has answered, and ends it. Errors if it does not start or does not answer. */
export const examineOwnServer = ({ backend, argv, processInfo, log }: OwnServerDeps): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    const { cwd, env } = processInfo;
    const transport = childTransport({
      backend,
      command: argv,
      cwd,
      env: presentVariables(env),
      log,
      title: 'The server',
      program: 'codex-rx',
    });
    return openPeer({ transport, name: 'the server' }).pipe(
      handshake({ params: CLIENT, ready: 'notifications/initialized' }),
      switchMap(({ peer }) => peer.request('tools/list', {})),
      take(1),
      timeout(LIMIT_MS, inputFirst),
      map((result) => ({ text: `answers, with the tools ${namesOf(result).join(', ')}`, ms: Date.now() - startMs })),
    );
  });

const namesOf = (result: unknown): string[] =>
  isObject(result) && Array.isArray(result.tools)
    ? result.tools.map((tool) => (isObject(tool) ? wordOf(tool.name) : '?'))
    : [];

type ExamineSandboxDeps = Pick<SessionSandbox, 'ready$' | 'asSet'> & { cwd: string };

const NONE = 'none works, so commands are asked about';

/** Runs a command that does nothing, as a thread would run it. Emits once it has ended. Errors after 10 s. */
export const examineSandbox = ({ ready$, asSet, cwd }: ExamineSandboxDeps): Observable<Result> =>
  ready$.pipe(
    last(),
    concatMap((ready) => (ready.kind === 'ready' ? tried(asSet, cwd) : of(warning(NONE, ready.remedy)))),
    timeout(LIMIT_MS, inputFirst),
  );

const warning = (text: string, remedy: string): Result => ({ state: 'warning', text, remedy });

type Run = { exitCode?: number; printed: string };

const tried = (asSet: SessionSandbox['asSet'], cwd: string): Observable<Result> =>
  asSet.start({ argv: ['/bin/sh', '-c', ':'], cwd, env: {} }).pipe(
    reduce(
      (run: Run, event): Run => {
        if (event.kind === 'exited') return { ...run, exitCode: event.exitCode };
        if (event.kind === 'failed') return { ...run, printed: event.reason };
        return event.kind === 'output' ? { ...run, printed: run.printed + Buffer.from(event.chunk).toString() } : run;
      },
      { printed: '' },
    ),
    map(({ exitCode, printed }) =>
      exitCode === 0
        ? { text: 'works' }
        : warning('no command can run in it', printed.trim().split('\n')[0] || `it ended with exit code ${exitCode}`),
    ),
  );

/** Emits how long the server takes to answer. Errors if it cannot be reached, refuses the login, or has no JetStream. */
export const examineNats = (link$: Observable<NatsLink>): Observable<Result> => {
  const startMs = Date.now();
  return link$.pipe(
    switchMap((link) =>
      link.findStream(`${link.prefix}-tapes`).pipe(
        map((found) => `with JetStream, and ${found === undefined ? 'without tapes' : 'with tapes'}`),
        catchError((error) =>
          isNatsFailure(error, 'refused') ? of('and lets this login read no tapes') : throwError(() => error),
        ),
        map((text) => ({ text: `${link.address} answers, ${text}` })),
      ),
    ),
    take(1),
    timeout(LIMIT_MS, inputFirst),
    map((result) => ({ ...result, ms: Date.now() - startMs })),
  );
};

/** Makes a real handshake if an installed Codex may be used. */
export const examineEngine = ({ choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    return choice$.pipe(
      map(({ engine: name, reason, remedy }): Result => {
        const isUsable = name !== 'native' || !/No API key|Missing environment variable/.test(reason);
        return {
          text: `${name}: ${reason}`,
          ms: Date.now() - startMs,
          ...(remedy && { state: 'warning', remedy: `to use the installed Codex, ${remedy}` }),
          ...(!isUsable && { state: 'fault', remedy: [remedyOf(reason), ...(remedy ? [remedy] : [])].join('; or ') }),
        };
      }),
    );
  });

/** A login does not help a provider whose key comes from a variable. */
const remedyOf = (reason: string): string => {
  const [, variable] = reason.match(/Missing environment variable: `([^`]*)`/) ?? [];
  if (variable === undefined) return 'codex-rx login, or a model provider in config.toml';
  return `set ${variable} where the server is started, as in env of the entry of its client`;
};

/**
 * Asks the server for the list of its models if the native engine is chosen. Emits nothing if no server is needed, if a key is missing (the check of the
 * engine reports that), and for a ChatGPT account, whose server has no such list. Errors if the server is not reached.
 */
export const examineModel = (
  wiring: Wiring,
  { choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>,
): Observable<Result> =>
  choice$.pipe(
    concatMap(({ engine }) => {
      const { model, provider } = configureOf(wiring)({});
      const credential = engine === 'native' && OVER_HTTP.includes(provider.wireApi) && credentialOf(wiring, provider);
      if (credential === false || credential?.account !== undefined) return EMPTY;
      const { backpressure, processInfo } = wiring;
      const { env } = processInfo;
      const post = httpPost({ backpressure, env });
      return listModels({ post, env, credential })(provider).pipe(map((list) => toResult(model, list)));
    }),
  );

const OVER_HTTP: readonly string[] = ['responses', 'chat'];

const credentialOf = (wiring: Wiring, provider: Provider) => {
  try {
    return credentials({ env: wiring.processInfo.env, readAuth: modelLogin(wiring).readAuth })(provider);
  } catch (error) {
    if (error instanceof ModelError) return false;
    throw error;
  }
};

/** What an answer of the server means. */
export const toResult = (model: string, list: ModelList): Result => {
  const { url, models, rejected } = list;
  if (rejected !== undefined) return { state: 'fault', text: textOf(list), remedy: rejected };
  if (models === undefined) return withoutModels(list);
  if (models.some((name) => name === model || name === `${model}${LATEST}`))
    return { text: `${model}, listed by ${url}` };
  return { state: 'warning', text: `${url} does not list the model ${model}`, remedy: toRemedy(model, models) };
};

const toRemedy = (model: string, models: readonly string[]): string => {
  if (models.length === 0) return 'load it on that server, which lists no model';
  const meant = nearest(model, models.map(withoutLatest));
  return `name one in model${meant === undefined ? '' : `; did you mean ${meant}?`} ${toShown(models)}`;
};

/** Ollama adds it to a name without a tag. */
const LATEST = ':latest';
const withoutLatest = (name: string): string => (name.endsWith(LATEST) ? name.slice(0, -LATEST.length) : name);

const textOf = ({ url, status, text }: ModelList): string => `${url} answers ${status}${text ? `: ${text}` : ''}`;

/** A turn follows no redirect either. With 5xx the server is starting, or a proxy stands before a server that does not run; a turn would fail too. */
const withoutModels = (list: ModelList): Result => {
  const { url, status, location } = list;
  if (location !== undefined)
    return {
      state: 'fault',
      text: `${url} answers ${status}: it redirects to ${location}`,
      remedy: 'set base_url to the new address, without /models: redirects are not followed',
    };
  if (/^50[234]/.test(status)) return { state: 'fault', text: textOf(list), remedy: NOT_READY };
  return { state: 'warning', text: `${url} answers ${status}, and no list of models`, remedy: NO_LIST };
};

const NOT_READY = 'is the model server running, and ready? A proxy before it may answer in its place';
const NO_LIST = 'fix base_url if it is wrong; it often ends in /v1. A server without a list may work';

const MAX_SHOWN = 8;
/** The server chooses the names, so their length is limited. */
const MAX_NAME_CHARS = 80;

const toShown = (models: readonly string[]): string => {
  const shown = models.slice(0, MAX_SHOWN).map((name) => clip(name.replace(/\s+/g, ' '), MAX_NAME_CHARS));
  const rest = models.length > MAX_SHOWN ? ` and ${models.length - MAX_SHOWN} more` : '';
  return `(it lists ${shown.join(', ')}${rest})`;
};
