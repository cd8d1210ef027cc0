/** Owns which values of the environment are secret. */

/** Names of variables that hold secrets; their values never reach a log or a redacted tape. */
const IS_SECRET = /KEY|SECRET|TOKEN|PASSWORD/i;
const MIN_CHARS = 8;

/** The values of all variables with such names; a short one would hide ordinary words. */
export const secretsOf = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    IS_SECRET.test(name) && value !== undefined && value.length >= MIN_CHARS ? [value] : [],
  );
