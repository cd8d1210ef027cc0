/** The environment of this process, for processes that it starts. */

/** The variables that are set. */
export const presentVariables = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
