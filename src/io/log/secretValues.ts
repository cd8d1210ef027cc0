/** The secret values of a process's environment, and a log that hides those of one program. */
import type { Log } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import type { Pausing } from '../../streams/pausing';
import { knownValues } from './knownValues';
import { looksGenerated } from './maskAddress';
import { findSecrets, redactText, replaceIn } from './redactText';
import { holdsPassword, isSecretName, isSecretVariable } from './secretNames';

/** A shorter value is not treated as a secret: hiding it would hide ordinary words. */
const MIN_CHARS = 8;

/** The values of all variables with secret names, and addresses with passwords. They are kept out of logs and redacted tapes. */
export const secretValuesOf = (env: Record<string, string | undefined>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_CHARS && (isSecretVariable(name) || holdsPassword(value)) ? [value] : [],
  );

/** The home folder behind its root, if a blank or the like cuts its name in a text: its form alone would show only the first part. */
export const homeWithBlankOf = (home = ''): string[] =>
  CUT_HOME.test(home) ? [home.replace(/^(?:[A-Za-z]:)?[/\\]+/, '').replace(/[/\\]+$/, '')] : [];

const CUT_HOME = /^(?:\/home|\/Users|[A-Za-z]:[\\/]Users)[\\/][^\\/]*[\s"'`:;,<>|)\]}][^\\/]*[\\/]?$/;

/** A path is no secret, whatever its folders are called. */
const PATH = /^(?:\/[\w.~-]+)+\/?(?::|$)/;

const isGenerated = (value: string): boolean => !PATH.test(value) && value.split(/[\s/:,;=@]/).some(looksGenerated);

/** The values of variables for a single program, to be hidden in what it prints: each that no person would have chosen. */
export const secretsGiven = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== '' && (isSecretVariable(name) || isSecretName(name, value) || holdsPassword(value) || isGenerated(value))
      ? [value]
      : [],
  );

/** Makes the function that hides the given values, and what looks like a secret, in a text of any length. */
export const redactInSteps = (secrets: readonly string[]): ((text: string) => Pausing<string>) => {
  const known = knownValues(secrets);
  return function* (text) {
    return replaceIn(text, yield* findSecrets({ known }, text));
  };
};

/** A log in whose text fields the given values are hidden, and what looks like a secret. Messages are constant and stay as they are. */
export const hideInLog = (log: Log, secrets: readonly string[]): Log => {
  const hide = lazy(() => redactText({ secrets, maxChars: Number.POSITIVE_INFINITY }));
  const hidden = (value: unknown): unknown => (typeof value === 'string' ? hide()(value) : value);
  return (level, message, fields = {}) =>
    log(level, message, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value)])));
};
