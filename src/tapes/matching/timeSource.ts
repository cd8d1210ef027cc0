/** The pattern of times in texts. */

/** One pattern for any of several. */
const anyOf = (...patterns: RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'), 'g');

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const SECONDS = '(?:1[5-9]|2[01])\\d{8}\\.\\d{3,}';
const CLOCK = '\\d\\d:\\d\\d:\\d\\d';

const TIMES = [
  /(?<![A-Za-z\d])\d{4}(?:-\d\d-|\/\d\d\/)\d\d[T _-]\d\d[:-]\d\d[:-]\d\d(?:[.,]\d+|-\d{3}(?=Z))?(?:Z|[+-]\d\d:?\d\d)?/, // ISO, also as names of files have it
  /(?<=\/sessions\/)\d{4}\/\d\d\/\d\d(?=\/rollout-)/, // the folder of a rollout
  new RegExp(`\\b[A-Z][a-z]{2},? \\d\\d ${MONTH} \\d{4} ${CLOCK} GMT`), // HTTP
  new RegExp(`\\b[A-Z][a-z]{2} ${MONTH} \\d\\d \\d{4} ${CLOCK}(?: GMT[+-]\\d{4}(?: \\([^)]{1,60}\\))?)?`), // Date of JavaScript
  /\b\d{1,2}[./]\d{1,2}[./]\d{4},? \d{1,2}:\d\d:\d\d(?: [AP]M)?/, // the same in a locale
  /(?<![\w.])1[5-9]\d{11}(?![\w])/, // ms since 1970
  new RegExp(`(?<![\\w.])${SECONDS}(?![\\w.])`), // seconds since 1970, as Python and PHP have them
  /(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: [AP]M)?(?![\d:])/, // a clock
];

/** The pattern of a time in a text, in any of its forms. */
export const TIME_SOURCE = anyOf(...TIMES).source;

const ONLY_SECONDS = new RegExp(`^${SECONDS}$`);

/** Whether a number is a time whatever its name: seconds since 1970, with a longer fraction than amounts have. */
export const isEpochSeconds = (value: number): boolean => !Number.isInteger(value) && ONLY_SECONDS.test(String(value));
