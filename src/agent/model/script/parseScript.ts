/** Reads the file of a scripted model. */

import { ModelError } from '../../../protocol/model/model';
import { lazy } from '../../../streams/lazy/lazy';
import type { Script } from './script';

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
