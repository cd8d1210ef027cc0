/** Owns finding what must never reach a log. */

/** Names of variables that hold secrets. */
const IS_SECRET = /KEY|SECRET|TOKEN|PASSWORD/i;

/** The values of an environment that are secrets, as their names say. */
export const secretsOf = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    IS_SECRET.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
