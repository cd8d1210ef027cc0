/** The threads of a client that opens and closes them: what they would run under on this machine, and their removal. */
import {
  asyncScheduler,
  catchError,
  defer,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  subscribeOn,
  take,
  throwError,
  toArray,
} from 'rxjs';
import { APPROVAL_POLICIES, SANDBOX_MODES, type ThreadSettings } from '../../protocol/codex/settings';
import { withTurnSettings } from '../../protocol/codex/turnSettings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type {
  CustomPrompt,
  Gateway,
  SessionFacts,
  SessionHost,
  SessionRequest,
  Skill,
} from '../../protocol/methods/host';
import type { Config } from '../../settings/config';
import { tried } from '../../settings/faults/tried';
import type { NamedTables } from '../../settings/readProfile';
import { lazy } from '../../streams/lazy';
import { withFreeNames } from '../../streams/text/freeNames';
import { parseLine } from '../../threads/lines/readRolloutLine';
import { settingsIn } from '../../threads/lines/storedThread';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { UnknownThreadError } from '../../threads/threadError';
import type { ThreadStore } from '../../threads/threadStore';
import { modelsIn, type PromptFile, readPromptFile } from '../mcp/library';
import { toHostErrors } from './homeHere';

/** What the sessions need of this machine. */
export type SessionsDeps = {
  /** Opens the store when it is first needed. */
  open: () => ThreadStore;
  /** Throws ConfigError if settings are wrong, or exceed the ceiling of the operator. */
  configure: (settings: ThreadSettings) => Config;
  /** The settings of a stored thread that still apply. */
  storedSettings: (settings: ThreadSettings) => ThreadSettings;
  /** True if the model of a configuration waits for a login. */
  needsLogin: (config: Config) => boolean;
  /** The providers and MCP servers that settings have already. A name that one of them has is not free: it would lend its keys. */
  tables: (settings: ThreadSettings) => NamedTables;
  /** config.toml as plain data. */
  savedConfig: () => JsonObject;
  /** The prompts that the user keeps in the Codex home. */
  prompts: () => readonly PromptFile[];
  /** The skills of the user, and of the project of a folder. */
  skills: (cwd: string) => readonly Skill[];
  /** Never returns the same id twice. */
  newId: () => string;
  /** Keeps the name of a thread. Throws FileError. */
  rename: (id: string, name: string) => void;
};

/** A thread that is not there is no error: its client asks whether it is. */
export const sessionsHere = (deps: SessionsDeps): SessionHost => {
  const store = lazy(deps.open);
  const linesOf = (id: string): Observable<JsonObject[] | null> =>
    readSoon(store, id).pipe(
      map(({ lines }) => lines.flatMap(parseLine)),
      toArray(),
      map((pieces) => pieces.flat()),
      ofUnknown<JsonObject[], null>(null),
      toHostErrors(),
    );
  const find: SessionHost['find'] = (asked) =>
    (asked.id === undefined ? of([]) : linesOf(asked.id)).pipe(
      map((lines) => (lines === null ? null : factsOf(deps, asked, lines))),
    );
  return {
    find,
    fork: (asked) => find(asked).pipe(mergeMap((facts) => forked(store(), facts, { old: asked.id, id: deps.newId() }))),
    has: (id) => firstOf(store, id).pipe(map((summary) => summary !== null)),
    rename: (id, name) => defer(() => of(deps.rename(id, name))).pipe(toHostErrors()),
    setArchived: (id, archived) =>
      firstOf(store, id).pipe(
        mergeMap((summary) => (summary?.archived === !archived ? move(store(), id, archived) : of(summary))),
        toHostErrors(),
      ),
    remove: (id) =>
      defer((): Observable<unknown> => store().remove(id)).pipe(ofUnknown<unknown, null>(null), toHostErrors()),
  };
};

/** Reads a thread once what was written of it in this turn of the event loop is on the disk: a client may ask for a session that it has just made. */
const readSoon = (store: () => ThreadStore, id: string) =>
  defer(() => store().read(id)).pipe(subscribeOn(asyncScheduler));

/** What a list shows of a thread; null if there is none. */
const firstOf = (store: () => ThreadStore, id: string): Observable<ThreadSummary | null> =>
  readSoon(store, id).pipe(
    take(1),
    map(({ summary }) => summary),
    ofUnknown<ThreadSummary, null>(null),
    toHostErrors(),
  );

const move = ({ archive, restore }: ThreadStore, id: string, archived: boolean) => (archived ? archive : restore)(id);

/** A thread is made only if the session can begin. */
const forked = (store: ThreadStore, facts: SessionFacts | null, { old, id }: { old: string; id: string }) =>
  facts === null || facts.needsLogin
    ? of(facts && { id: old, facts })
    : store.fork(old, id).pipe(
        map((made) => ({ id: made.id, facts })),
        toHostErrors(),
      );

const ofUnknown = <T, V>(value: V): OperatorFunction<T, T | V> =>
  catchError((error: Error) => (error instanceof UnknownThreadError ? of(value) : throwError(() => error)));

const factsOf = (deps: SessionsDeps, asked: SessionRequest, rollout: JsonObject[]): SessionFacts => {
  const { configure } = deps;
  const stored = deps.storedSettings(settingsIn(rollout));
  const before = withTurnSettings(asked.gateway ? withoutProvider(stored) : stored, { cwd: asked.cwd });
  const alone = configure(before);
  const own = settingsOf(alone, asked, () => deps.tables(before));
  const settings = withTurnSettings(stored, own);
  const config = Object.keys(own).length === 1 ? alone : configure(settings);
  const isAllowed = (changed: ThreadSettings): boolean => isAccepted(configure, { ...settings, ...changed });
  return {
    needsLogin: deps.needsLogin(config),
    settings: own,
    cwd: config.cwd,
    model: config.model,
    models: modelsIn(deps.savedConfig()),
    effort: config.reasoningEffort,
    approvalPolicy: config.approvalPolicy,
    sandboxMode: config.sandboxMode,
    policies: upTo(APPROVAL_POLICIES, (approvalPolicy) => isAllowed({ approvalPolicy })),
    sandboxModes: upTo(SANDBOX_MODES, (sandbox) => isAllowed({ sandbox })),
    servers: Object.keys(config.mcpServers),
    prompts: deps
      .prompts()
      .filter(({ name }) => IS_COMMAND.test(name))
      .map(toPrompt),
    skills: deps.skills(config.cwd),
    rollout,
  };
};

/** The provider that a client has brought to a thread is there again only if the client brings it again. */
const withoutProvider = ({
  config: { model_provider: _, ...config } = {},
  ...rest
}: ThreadSettings): ThreadSettings => ({
  ...rest,
  config,
});

/** The values up to the loosest allowed value: a ceiling allows all that is stricter. Each look loads the configuration. */
const upTo = <T>(values: readonly T[], isAllowed: (value: T) => boolean): T[] =>
  values.slice(0, values.findLastIndex(isAllowed) + 1);

/** The folders of the configuration stay, and its servers keep their names. */
const settingsOf = (
  { workspaceWrite: { writableRoots }, developerInstructions: before }: Config,
  { cwd, folders, servers, gateway, instructions }: SessionRequest,
  tables: () => NamedTables,
): SessionFacts['settings'] => {
  const brought = Object.entries(servers);
  const named = brought.length === 0 ? {} : withFreeNames(brought, tables().servers);
  const config = {
    ...(folders.length > 0 && {
      'sandbox_workspace_write.writable_roots': [...new Set([...writableRoots, ...folders])],
    }),
    ...(Object.keys(named).length > 0 && { mcp_servers: named }),
    ...(gateway && toProvider(gateway, tables().providers)),
  };
  return {
    cwd,
    ...(Object.keys(config).length > 0 && { config }),
    ...(instructions !== undefined && { developerInstructions: withText(before, instructions) }),
  };
};

/** A stored thread has the text already that its client sends again. */
const withText = (before: string | undefined, text: string): string =>
  before === undefined ? text : before.endsWith(text) ? before : `${before}\n\n${text}`;

/** A provider of its own: it gets no key of the operator, and no other member of a provider that is configured. */
const toProvider = ({ name, url, headers }: Gateway, taken: object): JsonObject => {
  const table = { name, base_url: url, wire_api: 'responses', http_headers: headers };
  const providers = withFreeNames([['gateway', table]], taken);
  return { model_provider: Object.keys(providers)[0], model_providers: providers };
};

const isAccepted = (configure: SessionsDeps['configure'], settings: ThreadSettings): boolean =>
  tried(() => configure(settings)).faults.length === 0;

/** A prompt that can be typed after a slash. */
const IS_COMMAND = /^[\w.-]+$/;

const toPrompt = ({ name, text }: PromptFile): CustomPrompt => ({
  name,
  description: 'A prompt of your own',
  ...readPromptFile(text),
});
