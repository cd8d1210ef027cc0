/** What an examination of this machine finds. */
import { wrapTo } from '../../io/terminal/width';
import { toVisible } from '../../streams/text/visible';

/** One result. */
export type Finding = {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  text: string;
  /** What to do, if something is to be done. */
  remedy?: string;
  /** How long it took, if that matters. */
  ms?: number;
};

/** A finding without its name; `state` is ok unless it says otherwise. */
export type Result = Partial<Pick<Finding, 'state' | 'remedy' | 'ms'>> & { text: string };

/** The checks of a machine that runs the daemon, that serves as an executor, or that only reads tapes. */
export const CHECKS = {
  daemon: [
    'program',
    'home',
    'config',
    'threads',
    'login',
    'engine',
    'model',
    'environment',
    'sandbox',
    'mcp',
    'clients',
    'server',
  ],
  executor: ['program', 'home', 'config', 'sandbox'],
  watcher: ['program', 'home', 'config'],
} as const;

/** What a machine is for. */
export type Role = keyof typeof CHECKS;
/** The name of one examination. */
export type Check = (typeof CHECKS)[Role][number];

/** All roles, the usual one first. */
export const ROLES = Object.keys(CHECKS) as Role[];

/** How a person reads what an examination of this machine finds. */
const NAME_WIDTH = 'environment'.length;
const SIGNS: Record<Finding['state'], string> = { ok: 'ok ', warning: ' ! ', fault: 'NO ' };

/**
 * The lines of a finding; a text of several lines keeps them, below each other, and none of them looks like a finding of its own.
 * @param columns of a terminal; without them no line is broken
 */
export const toFindingLines = ({ check, state, text, remedy, ms }: Finding, columns?: number): string[] => [
  ...below(`${SIGNS[state]} ${check.padEnd(NAME_WIDTH)} `, `${text}${ms === undefined ? '' : ` (${ms} ms)`}`, columns),
  ...(remedy === undefined ? [] : below(`${' '.repeat(NAME_WIDTH + 5)}→ `, remedy, columns)),
];

const below = (head: string, text: string, columns: number | undefined): string[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map(toVisible)
    .flatMap((line) => (columns === undefined ? [line] : wrapTo(line, columns - head.length)))
    .map((line, i) => `${i === 0 ? head : ' '.repeat(head.length)}${line}`);
