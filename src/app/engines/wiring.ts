/** The dependencies of all engines, and what more than one of them reads of this machine. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigDeps, loadConfig } from '../../config';
import type { Log } from '../../log';
import type { StoredAuth } from '../../model';
import type { Engine } from '../../protocol/codex';
import { isObject } from '../../protocol/jsonrpc';
import type { Backpressure } from '../../streams';
import type { Tape } from '../../tape';
import type { WatchGroup } from '../../transport';
import type { EngineOptions, ProcessInfo } from '../processInfo';

/** `watch` is called with each process group that lives. */
export type Wiring = {
  processInfo: ProcessInfo;
  options: EngineOptions;
  log: Log;
  backpressure: Backpressure;
  watch: WatchGroup;
  newId: () => string;
  tape?: Tape;
};

/** An engine, and what does beforehand, while nobody waits, all that its first call would have to wait for. */
export type ReadyEngine = { engine: Engine; warmUp: () => void };

export const readText = (path: string): string => readFileSync(path, 'utf8');

/** The content of a file, undefined when there is none. */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** What a configuration is made from here. */
export const configDeps = ({ processInfo, options }: Wiring): ConfigDeps => {
  const { codexHome, cwd, env } = processInfo;
  return { ...options, codexHome, cwd, env, readFile: readIfThere, isDirectory };
};

export const configureOf = (wiring: Wiring) => loadConfig(configDeps(wiring));

/** The stored login, as far as a model needs it; null when there is none that can be read. */
export const readAuth = (codexHome: string) => (): StoredAuth => {
  try {
    const auth: unknown = JSON.parse(readText(join(codexHome, 'auth.json')));
    return isObject(auth) ? auth : null;
  } catch {
    return null;
  }
};
