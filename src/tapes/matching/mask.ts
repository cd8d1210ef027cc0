/** Masks what may differ between two runs of one session. */
import { createContext, Script } from 'node:vm';
import { PROCESS_MARK } from '../../io/processes/watchGroups';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { TapeError } from '../format/tape';
import { type Ignored, withoutPaths } from './ignore';

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
export const TIME_SOURCE = TIMES.map(({ source }) => source).join('|');

const ONLY_SECONDS = new RegExp(`^${SECONDS}$`);

/** Whether a number is a time whatever its name: seconds since 1970, with a longer fraction than amounts have. */
const isEpochSeconds = (value: number): boolean => !Number.isInteger(value) && ONLY_SECONDS.test(String(value));

/** The masks by name; see docs/tapes.md. */
export const MASKS = [
  'handle',
  'uuid',
  'id',
  'time',
  'duration',
  'path',
  'pid',
  'port',
  'memory',
  'token',
  'progress',
] as const;
type MaskName = (typeof MASKS)[number];

/** The masks of a comparison. */
export type Masks = {
  names: readonly MaskName[];
  /** Further patterns of texts. */
  own: readonly RegExp[];
  /** Left out completely. */
  ignored?: Ignored;
};

/** All named masks, and no patterns of the user. */
export const ALL_MASKS: Masks = { names: MASKS, own: [] };

/** The second form is version 4 without dashes; one in 64 MD5 sums has that form by chance. */
const UUID = /\b(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15})\b/g;

/** Not within a path or a URL, except for the URL of a file. */
const AT_START = String.raw`(?:(?<=\bfile:\/\/)|(?<![\w.~%/\\-]))`;

const SEGMENT = String.raw`[^\s/\\"'\x60:;,)\]}]+`;
/** A segment with a time, which is masked before, with many digits, or with a long hex number. */
const RANDOM_SEGMENT = String.raw`(?=[\w.-]*(?:\d{6}|<|(?![a-f]{8})[a-f\d]{8}))${SEGMENT}`;

const TEXTS: Partial<Record<MaskName, [RegExp, string][]>> = {
  uuid: [[UUID, '<uuid>']],
  time: [[new RegExp(TIME_SOURCE, 'g'), '<time>']],
  duration: [
    [
      /(?<![\w.-])(?:\d+\s?(?:h|hours?|m|min|minutes?)\s?){0,2}\d+(?:\.\d+)?\s?(?:ns|\u00b5s|us|ms|s|secs?|seconds?|milliseconds?|mins?|minutes?)\b/g,
      '<duration>',
    ],
  ],
  path: [
    [
      new RegExp(
        String.raw`${AT_START}(?:\/private)?\/(?:tmp|var\/folders\/${SEGMENT}\/${SEGMENT}(?:\/T)?)\/${SEGMENT}(?:\/${RANDOM_SEGMENT})*`,
        'g',
      ),
      '<tmp>',
    ],
    [new RegExp(String.raw`(?:${AT_START}(?:\/home|\/Users)|\b[A-Z]:\\Users)[/\\]${SEGMENT}`, 'g'), '<home>'],
  ],
  pid: [[/\b(?:pid|PID|Pid|process)[ :=#(]{1,3}\d+|(?<="p?pid": ?)\d+/g, '<pid>']],
  memory: [[/(?<="(?:rss|heapTotal|heapUsed|external|arrayBuffers)": ?)(?:\d{6,}|"[\d.]+ ?[KMG]i?B")/g, '<memory>']],
  port: [[/(?<=\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):|\[::1?\]:)\d{2,5}\b|\b[Pp]ort[ :=]{1,2}\d{2,5}\b/g, '<port>']],
};

/** Members whose values change from run to run, by their names. */
const MEMBERS: Partial<Record<MaskName, RegExp>> = {
  time: /(?:^|_)(?:timestamp|created|updated|expires)(?:_?at)?$|_at$|[a-z]At$/,
  // not what a server sets, such as ttlMs
  duration:
    /^(?:duration|elapsed|secs|nanos)$|(?<!(?:[Tt]tl|[Ii]nterval|[Tt]imeout|[Ll]imit|[Mm]ax|[Mm]in|[Dd]elay|[Ww]ait))(?:_ms|(?<=[a-z])Ms)$/,
  pid: /^(?:p?pid|process_?id|(?:system|parent)?[pP]rocessId)$/,
  port: /^port$/,
  memory: /^(?:rss|heapTotal|heapUsed|external|arrayBuffers)$/, // as Node names them
  token: /^(?:requestState|nextCursor|history_log_id|history_entry_count)$|(?:access|refresh|id|auth)_?token$/i,
};

/** A smaller number is more likely a count than a time. */
const MIN_EPOCH = 100_000_000;

const isMemory = (value: string | number): boolean =>
  typeof value === 'number' ? value >= 100_000 : /^[\d.]+ ?[KMG]i?B$/.test(value);

/** Whether a value can be what the name of its member suggests: a flag, a list, or a small number in `updated` is no time. */
const isChanging = (mask: MaskName, name: string, value: unknown): boolean => {
  if (value === null || typeof value === 'boolean') return false;
  if (typeof value === 'object') return mask === 'duration' && !Array.isArray(value);
  if (mask === 'memory') return isMemory(value as string | number);
  if (mask !== 'time') return true;
  return typeof value === 'number' ? value >= MIN_EPOCH || /(?:_a|[a-z]A)t$/.test(name) : /\d/.test(String(value));
};

/** The variable that marks processes of this program, in a text that lists variables; a recorder sets none. */
const MARKS: [RegExp, string] = [new RegExp(`^(?:export )?${PROCESS_MARK}=\\S*\\n?`, 'gm'), ''];

/** Makes the function that replaces what the masks match with placeholders, and leaves out what is ignored. */
export const toMask = ({ names, own, ignored }: Masks): ((value: unknown) => unknown) => {
  const texts = [
    MARKS,
    ...names.flatMap((name) => TEXTS[name] ?? []),
    ...own.map((pattern): [RegExp, string] => [pattern, '<masked>']),
  ];
  const members = names.flatMap((name) => {
    const pattern = MEMBERS[name];
    return pattern ? [{ name, pattern }] : [];
  });
  const ofText = (text: string): string => texts.reduce((rest, [pattern, to]) => rest.replace(pattern, to), text);
  const ofObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]) => {
        if (name === PROCESS_MARK) return [];
        const found = members.find(({ pattern }) => pattern.test(name));
        return [[name, found && isChanging(found.name, name, value) ? `<${found.name}>` : of(value)]];
      }),
    );
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') return ofText(value);
    if (typeof value === 'number') return names.includes('time') && isEpochSeconds(value) ? '<time>' : value;
    if (Array.isArray(value)) return value.map(of);
    return isObject(value) ? ofObject(value) : value;
  };
  const paths = ignored?.paths ?? [];
  const masked = (value: unknown): unknown => of(withoutPaths(paths, value));
  return own.length === 0 ? masked : inTime(masked);
};

/** A pattern may take longer than anybody lives, and come with a tape of somebody else. */
const MAX_MS = 1_000;

/** Stops a function that takes too long; Node stops only what it runs as a script. */
const inTime = (run: (value: unknown) => unknown): ((value: unknown) => unknown) => {
  const script = new Script('run(value)');
  return (value) => {
    try {
      return script.runInContext(createContext({ run, value }), { timeout: MAX_MS });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new TapeError(
        'The masks have a pattern that takes too long; leave it out of --mask, or of the file that is named above',
      );
    }
  };
};

/** Whether the masks hide a whole message: progress, as a fast server sends fewer notifications of it. */
export const hidesMessage = ({ names }: Masks, method: string): boolean =>
  method === 'notifications/progress' && names.includes('progress');

/** The pattern of a text mask, by the name in its placeholder. */
export const hiddenBy: ReadonlyMap<string, RegExp> = new Map(
  Object.values(TEXTS)
    .flat()
    .map(([pattern, placeholder]) => [placeholder.slice(1, -1), pattern]),
);

/** Whether a member holds a value that the server issues and expects back. */
export const isTokenName = (name: string): boolean => MEMBERS.token?.test(name) ?? false;

/** Every UUID in a text, in order. */
export const uuidsOf = (text: string): string[] => text.match(UUID) ?? [];
