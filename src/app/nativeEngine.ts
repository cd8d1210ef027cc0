/** Owns wiring the native engine to this machine: files, environment, child processes, models, the bash grammar. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { nativeAgent, userInstructions } from '../agent';
import { ConfigError, loadConfig } from '../config';
import { environmentOf, localBackend } from '../executor';
import type { Log } from '../log';
import { models, type StoredAuth } from '../model';
import { type Engine, isObject, type ThreadSettings } from '../protocol';
import { bashParser, isTrusted, parseCommand } from '../safety';
import type { Pressure } from '../streams';
import { runCommand } from '../tools';
import type { Tape } from '../transcript';
import { httpPost, watchGroups } from '../transport';
import { recordSeams } from './recordSeams';
import type { EngineOptions, Surroundings } from './surroundings';

/** The content of a file, undefined when there is none. */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

type Wiring = {
  surroundings: Surroundings;
  options: EngineOptions;
  log: Log;
  pressure: Pressure;
  newId: () => string;
  tape?: Tape;
};

const readText = (path: string): string => readFileSync(path, 'utf8');

/** The stored login, as far as a model needs it; null when there is none that can be read. */
const readAuth = (codexHome: string) => (): StoredAuth => {
  try {
    const auth: unknown = JSON.parse(readText(join(codexHome, 'auth.json')));
    return isObject(auth) ? auth : null;
  } catch {
    return null;
  }
};

/** The text of a regular file; one that cannot be read is as good as none, and logged. */
const readDocument =
  (log: Log) =>
  (path: string): string | undefined => {
    try {
      return statSync(path, { throwIfNoEntry: false })?.isFile() ? readText(path) : undefined;
    } catch (error) {
      log('warning', 'instructions could not be read', { path, reason: (error as Error).message });
      return undefined;
    }
  };

/** An engine, and what does beforehand, while nobody waits, all that its first call would have to wait for. */
export type ReadyEngine = { engine: Engine; warmUp: () => void };

/** The native engine, wired. */
export const nativeEngine = ({ surroundings, options, log, pressure, newId, tape }: Wiring): ReadyEngine => {
  const { env, cwd, codexHome, dist, version } = surroundings;
  const read = bashParser({
    wasm: { runtime: join(dist, 'web-tree-sitter.wasm'), bash: join(dist, 'tree-sitter-bash.wasm') },
    readFile,
    log,
  });
  const instructions = userInstructions({ readFile: readDocument(log), exists: existsSync, codexHome });
  const taped = recordSeams(tape);
  const backend = taped.backend(
    localBackend({ spawn, pressure, signals: constants.signals, watch: watchGroups({ spawn }) }),
  );
  const plainModelOf = models({
    post: httpPost({ pressure }),
    pressure,
    env,
    version,
    readAuth: readAuth(codexHome),
    readFile: readText,
    now: Date.now,
    random: Math.random,
  });
  const configure = loadConfig({ ...options, codexHome, cwd, env, readFile: readIfThere, isDirectory });
  const engine = nativeAgent({
    configure,
    modelOf: (provider) => taped.model(plainModelOf(provider)),
    isTrusted: isTrusted({ read }),
    parseCommand: parseCommand({ read }),
    runCommand: runCommand({ backend, now: Date.now }),
    environmentOf: (policy) => environmentOf(env, policy),
    userInstructions: (folder, maxBytes) => instructions(realpathSync(folder), maxBytes),
    turnTimeoutMs: options.turnTimeoutMs,
    random: Math.random,
    newId,
    log,
  });
  return { engine, warmUp: () => warmUp(configure, newId) };
};

/** Loads the parsers, HTTP and the source of ids; a configuration that cannot be used is told to the call that needs it. */
const warmUp = (configure: (settings: ThreadSettings) => unknown, newId: () => string): void => {
  newId();
  require('node:http');
  try {
    configure({});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
};
