/** How a person reads what an examination of this machine finds. */

import { toVisible } from '../io/log/toPlain';
import type { Finding } from './doctor/finding';

const NAME_WIDTH = 'environment'.length;
const SIGNS: Record<Finding['state'], string> = { ok: 'ok ', warning: ' ! ', fault: 'NO ' };

/** The lines of a finding; a text of several lines keeps them, below each other, and none of them looks like a finding of its own. */
export const toFindingLines = ({ check, state, text, remedy, ms }: Finding): string[] => [
  ...below(`${SIGNS[state]} ${check.padEnd(NAME_WIDTH)} `, `${text}${ms === undefined ? '' : ` (${ms} ms)`}`),
  ...(remedy === undefined ? [] : below(`${' '.repeat(NAME_WIDTH + 5)}→ `, remedy)),
];

const below = (head: string, text: string): string[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line, i) => `${i === 0 ? head : ' '.repeat(head.length)}${toVisible(line)}`);
