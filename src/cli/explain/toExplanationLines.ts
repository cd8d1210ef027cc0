/** Shows an explanation in lines of text. */
import { toVisible } from '../../io/log/toPlain';
import { SANDBOX_MODES } from '../../protocol/codex/settings';
import { joinWords } from '../../streams/text/words';
import type { Explanation } from './explainHere';

const POLICY_WIDTH = 12;
const MODE_WIDTH = 20;

/** The lines for a terminal, without control sequences. */
export const toExplanationLines = (explanation: Explanation): string[] => {
  const { command, cwd, trusted, why, sandbox, parsed_cmd, decisions } = explanation;
  return [
    `command   ${joinWords(command)}`,
    `folder    ${cwd}`,
    `program   ${programText(explanation)}`,
    `trusted   ${trusted ? 'yes' : 'no'}: ${why}`,
    ...parsed_cmd.map(({ type, cmd }) => `part      ${type}: ${cmd}`),
    `sandbox   ${sandbox}`,
    '',
    row('', SANDBOX_MODES),
    ...Object.entries(decisions).map(([policy, modes]) =>
      row(
        policy,
        SANDBOX_MODES.map((mode) => modes[mode]),
      ),
    ),
  ].map(toVisible);
};

const programText = ({ program: { name, path, unasked } }: Explanation): string => {
  if (path === null) return `${name} is not found in PATH`;
  if (unasked === path || name.includes('/')) return path;
  return `${path}; what runs unasked takes ${unasked ?? 'none'}, because the first lies in the workspace`;
};

const row = (name: string, cells: readonly string[]): string =>
  [name.padEnd(POLICY_WIDTH), ...cells.map((cell) => cell.padEnd(MODE_WIDTH))].join('').trimEnd();
