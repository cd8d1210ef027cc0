/** The threads of a client that opens and closes them: what they would run under on this machine, and their removal. */
import { join } from 'node:path';
import { catchError, defer, map, type Observable, type OperatorFunction, of, throwError } from 'rxjs';
import { APPROVAL_POLICIES, SANDBOX_MODES, type ThreadSettings } from '../../protocol/codex/settings';
import { withTurnSettings } from '../../protocol/codex/turnSettings';
import { type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import type { CustomPrompt, SessionFacts, SessionHost, SessionRequest } from '../../protocol/methods/host';
import type { Config } from '../../settings/config';
import { ConfigError } from '../../settings/faults/configError';
import { lazy } from '../../streams/lazy';
import { readThread } from '../../threads/lines/storedThread';
import { UnknownThreadError } from '../../threads/threadError';
import type { ThreadStore } from '../../threads/threadStore';
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
  /** config.toml as plain data. */
  savedConfig: () => JsonObject;
  /** The folder with the prompts that a person keeps. */
  promptsFolder: string;
  readFile: (path: string) => string | undefined;
  namesIn: (folder: string) => readonly string[];
};

/** A thread that is not there is no error: its client asks whether it is. */
export const sessionsHere = (deps: SessionsDeps): SessionHost => {
  const store = lazy(deps.open);
  const textOf = (id: string): Observable<string | null> =>
    defer(() => store().read(id)).pipe(
      map(({ text }) => text),
      ofUnknown<string, null>(null),
      toHostErrors(),
    );
  return {
    find: (asked) =>
      (asked.id === undefined ? of('') : textOf(asked.id)).pipe(
        map((text) => (text === null ? null : factsOf(deps, asked, text))),
      ),
    remove: (id) =>
      defer((): Observable<unknown> => store().remove(id)).pipe(ofUnknown<unknown, null>(null), toHostErrors()),
  };
};

const ofUnknown = <T, V>(value: V): OperatorFunction<T, T | V> =>
  catchError((error: Error) => (error instanceof UnknownThreadError ? of(value) : throwError(() => error)));

const factsOf = (deps: SessionsDeps, asked: SessionRequest, rollout: string): SessionFacts => {
  const { configure } = deps;
  const stored = deps.storedSettings(readThread(rollout)?.settings ?? {});
  const own = settingsOf(configure(withTurnSettings(stored, { cwd: asked.cwd })), asked);
  const settings = withTurnSettings(stored, own);
  const config = configure(settings);
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
    policies: APPROVAL_POLICIES.filter((approvalPolicy) => isAllowed({ approvalPolicy })),
    sandboxModes: SANDBOX_MODES.filter((sandbox) => isAllowed({ sandbox })),
    servers: Object.keys(config.mcpServers),
    prompts: readPrompts(deps),
    rollout,
  };
};

const modelsIn = (saved: JsonObject): string[] => {
  const tables = [saved, ...Object.values(toObject(saved.profiles)).map(toObject)];
  return [...new Set(tables.flatMap(({ model }) => (typeof model === 'string' ? [model] : [])))];
};

/** The folders of the configuration stay, and its servers keep their names. */
const settingsOf = (
  { workspaceWrite: { writableRoots }, mcpServers }: Config,
  { cwd, folders, servers }: SessionRequest,
): SessionFacts['settings'] => {
  const named = Object.entries(servers).map(([name, table]) => [freeName(mcpServers, name), table]);
  const config = {
    ...(folders.length > 0 && {
      'sandbox_workspace_write.writable_roots': [...new Set([...writableRoots, ...folders])],
    }),
    ...(named.length > 0 && { mcp_servers: Object.fromEntries(named) }),
  };
  return { cwd, ...(Object.keys(config).length > 0 && { config }) };
};

const freeName = (taken: object, name: string): string =>
  Object.hasOwn(taken, name) ? freeName(taken, `${name}_2`) : name;

const isAccepted = (configure: SessionsDeps['configure'], settings: ThreadSettings): boolean => {
  try {
    configure(settings);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
};

/** Prompts that are listed; a person keeps a few. */
const MAX_PROMPTS = 200;

/** Source: Codex 0.142.0, `prompts/NAME.md` in its home, with a front matter of `description` and `argument-hint`. */
const readPrompts = ({ promptsFolder, namesIn, readFile }: SessionsDeps): CustomPrompt[] =>
  namesIn(promptsFolder)
    .filter((name) => /^[\w.-]+\.md$/.test(name))
    .slice(0, MAX_PROMPTS)
    .flatMap((name) => {
      const text = tried(() => readFile(join(promptsFolder, name)));
      return text === undefined ? [] : [toPrompt(name.slice(0, -3), text)];
    });

/** A file that cannot be read is no prompt. */
const tried = (read: () => string | undefined): string | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const toPrompt = (name: string, file: string): CustomPrompt => {
  const [, head = '', text = file] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(file) ?? [];
  const hint = fieldOf(head, 'argument-hint');
  return {
    name,
    description: fieldOf(head, 'description') ?? 'A prompt of your own',
    ...(hint !== undefined && { hint }),
    text,
  };
};

const fieldOf = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.+)$`, 'm')
    .exec(head)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
