/** The embedded provider: a model that reads its answers from a file. */
import { defer } from 'rxjs';
import { type Model, ModelError } from '../../../protocol/model/model';
import type { Provider } from '../../../protocol/model/provider';
import type { Backpressure } from '../../../streams/backpressure';
import { lazy } from '../../../streams/lazy';
import { findStep } from './findStep';
import { playStep } from './playStep';
import type { Script } from './script';

/** `readFile` reads a text file; it throws when it cannot. `backpressure` of the queue to the client. */
export type ScriptDeps = { readFile: (path: string) => string; backpressure: Backpressure };

/**
 * A model that plays `provider.script`, read at the first request.
 * Emits the events of the matching step; errors with ModelError for a fault of the script, or when the script cannot be used.
 */
export const scriptedModel =
  ({ readFile, backpressure }: ScriptDeps) =>
  (provider: Provider): Model => {
    const script = lazy(() => readScript(readFile, provider));
    const played = new Map<string, number>(); // how often each thread met each fault
    return (request) =>
      defer(() => {
        const playback = findStep(script(), request);
        const { fault, faultTimes = Number.POSITIVE_INFINITY } = playback.step;
        const key = JSON.stringify([request.threadId, playback.place]);
        const times = played.get(key) ?? 0;
        if (fault !== undefined) played.set(key, times + 1);
        return playStep(
          { backpressure, idleMs: provider.streamIdleTimeoutMs },
          playback,
          times < faultTimes ? fault : undefined,
        );
      });
  };

const readScript = (readFile: ScriptDeps['readFile'], { id, script }: Provider) => {
  if (script === undefined)
    throw new ModelError(
      `The model provider "${id}" has no script. Set script under [model_providers.${id}] to the path of one.`,
      false,
    );
  return parseScript(script, readText(readFile, script));
};

const readText = (readFile: ScriptDeps['readFile'], path: string): string => {
  try {
    return readFile(path);
  } catch (error) {
    throw new ModelError(`The script ${path} cannot be read: ${(error as Error).message}`, false);
  }
};

/** The check needs zod, which is slow to load: other models do without it. */
const schema = lazy(() => require('./scriptSchema') as typeof import('./scriptSchema'));

/**
 * Reads a script. Throws ModelError, not retryable, with the place in the document and what is wrong there.
 * @param path used in error texts only
 */
export const parseScript = (path: string, text: string): Script => {
  const read = schema().checkScript(toValue(path, text));
  if ('script' in read) return read.script;
  const faults = read.faults.map((fault) => `${toPlace(fault.path)}: ${fault.message}`);
  throw new ModelError(`The script ${path} cannot be used: ${faults.join('; ')}`, false);
};

const toValue = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError(`The script ${path} is not JSON: ${(error as Error).message}`, false);
  }
};

/** ['scenes', 0, 'when'] as scenes[0].when */
const toPlace = (path: PropertyKey[]): string =>
  path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '') || 'the document';
