/** The script of the demonstration: its prompts, the answers of the scripted model, the file that is written. */

import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Call, ToolResult } from '../client/messages';

export const FILE = 'hello.txt';
export const CONTENT = 'Hello from a marble diagram: --a--b--|\n';

/** The calls of the client: by `codex`, then by `codex-reply`. The policy `untrusted` asks before every command that does more than read. */
export const demoCalls = (cwd: string) => [
  (): Call => ({
    name: 'codex',
    arguments: {
      prompt: `Write a greeting into ${FILE}, then show me the file.`,
      cwd,
      'approval-policy': 'untrusted',
      sandbox: 'workspace-write',
    },
  }),
  ({ threadId }: ToolResult): Call => ({
    name: 'codex-reply',
    arguments: { prompt: `How many bytes does ${FILE} have?`, threadId },
  }),
];

/** The result of a question for a person's yes or no. */
export const toAnswer = (isYes: boolean): JsonObject =>
  isYes ? { action: 'accept', content: { decision: 'approved' } } : { action: 'decline' };

const shell = (...command: string[]) => ({ call: 'shell', args: { command } });
const usage = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });

/** The answers of the model, in the format of docs/scripted-models.md. The commands are real. */
export const SCRIPT = {
  scenes: [
    {
      when: '^Write a greeting',
      answers: [
        {
          delayMs: 120,
          deltaDelayMs: 15,
          items: [
            { text: `First I write ${FILE}; the policy makes me ask for that.`, deltas: 8 },
            shell('sh', '-c', `echo '${CONTENT.trim()}' > ${FILE}`),
          ],
          usage: usage(812, 41),
        },
        {
          delayMs: 80,
          items: [{ text: 'Now I read it back; reading needs no approval.' }, shell('cat', FILE)],
          usage: usage(903, 29),
        },
        {
          delayMs: 80,
          deltaDelayMs: 15,
          items: [{ text: `${FILE} now says:\n{{output}}`, deltas: 6 }],
          usage: usage(961, 22),
        },
      ],
    },
    {
      when: '^How many bytes',
      answers: [
        { delayMs: 80, items: [shell('wc', '-c', FILE)], usage: usage(1010, 18) },
        { delayMs: 80, items: [{ text: 'wc -c says: {{output}}', deltas: 3 }], usage: usage(1044, 9) },
      ],
    },
  ],
};
