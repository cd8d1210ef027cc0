/** How output looks on the terminal of this process. */

/** True where stdout may have colours: a terminal, without NO_COLOR. */
export const hasColours = ({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean =>
  Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
