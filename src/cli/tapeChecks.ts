/** Owns what must hold of the command lines of the commands on tapes, beyond what yargs sees. Each check throws what is wrong. */

/** There must be a command behind --. */
export const hasCommand = (args: Record<string, unknown>): true => {
  if (Array.isArray(args['--']) && args['--'].length > 0) return true;
  throw new Error('There is no server to run: write its command behind --');
};

/** yargs reads a lone - as no text. */
const isStdin = (file: unknown): boolean => file === '-' || file === '';

/** What yargs does not see: a speed is a number or a word, patterns must compile, one stdin cannot be two things. */
export const isPlayable = (args: Record<string, unknown>): true => {
  const { speed, timeout, file } = args;
  if (speed !== 'max' && !(Number(speed) > 0)) throw new Error('--speed must be a number above 0, or max');
  if (!(Number(timeout) > 0)) throw new Error('--timeout must be a number above 0');
  if (isStdin(file) && !Array.isArray(args['--'])) {
    throw new Error('A server has its client on stdin, so the tape must be a file; - is for a command behind --');
  }
  return hasSession(args) && hasPatterns(args) && hasSteps(args);
};

/** Steps are taken from a descriptor that is not one of the three standard ones, and go by no clock. */
const hasSteps = ({ step, 'step-fd': fd, speed }: Record<string, unknown>): true => {
  if (fd !== undefined && !(Number.isInteger(fd) && Number(fd) > 2)) {
    throw new Error('--step-fd must be a whole number from 3');
  }
  if ((step || fd !== undefined) && speed !== 'max') throw new Error('--step goes by no clock, so --speed must be max');
  return true;
};

/** Sessions count from 1. */
export const hasSession = ({ session }: Record<string, unknown>): true => isSession('session', session);

/** The same for both tapes. */
export const hasSessions = (args: Record<string, unknown>): true =>
  isSession('session-a', args['session-a']) && isSession('session-b', args['session-b']);

const isSession = (name: string, number: unknown): true => {
  if (number === undefined || (Number.isInteger(number) && Number(number) > 0)) return true;
  throw new Error(`--${name} must be a whole number from 1`);
};

/** Throws what the first bad pattern makes the compiler of patterns say. */
export const hasPatterns = ({ mask }: Record<string, unknown>): true => {
  for (const pattern of mask as string[]) new RegExp(pattern);
  return true;
};

const MIN_VALUE_CHARS = 6;

/** A shorter text would be let stand without a word. */
export const hasValues = ({ value }: Record<string, unknown>): true => {
  const short = (value as string[]).find((text) => text.length < MIN_VALUE_CHARS);
  if (short === undefined) return true;
  throw new Error(`--value must have ${MIN_VALUE_CHARS} characters or more; ${JSON.stringify(short)} has less`);
};

const MIN_WIDTH = 30;

/** A picture needs some room. */
export const hasWidth = ({ width }: Record<string, unknown>): true => {
  if (width === undefined || Number(width) >= MIN_WIDTH) return true;
  throw new Error(`--width must be a number from ${MIN_WIDTH}`);
};

/** The name of the file says what is drawn; so a tape cannot be written over either. */
export const isPicture = ({ out }: Record<string, unknown>): true => {
  if (out === undefined || /.\.(svg|html)$/.test(String(out))) return true;
  throw new Error('--out must be a file that ends with .svg or .html');
};

/** A span of time has a beginning and an end, in that order. */
export const hasSpan = ({ from = 0, to = Number.POSITIVE_INFINITY }: Record<string, unknown>): true => {
  if (Number(from) >= 0 && Number(to) >= Number(from)) return true;
  throw new Error('--from and --to must be numbers of ms, --to not before --from');
};
