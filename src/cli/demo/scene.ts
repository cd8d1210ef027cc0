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

/** The commands of the scene, and what the model says about them. */
type Commands = { write: string[]; read: string[]; readText: string; count: string[]; countName: string };

const COMMANDS: Commands = {
  write: ['sh', '-c', `echo '${CONTENT.trim()}' > ${FILE}`],
  read: ['cat', FILE],
  readText: 'Now I read it back; reading needs no approval.',
  count: ['wc', '-c', FILE],
  countName: 'wc -c',
};

/** Windows has none of these programs; Node is there. */
const windowsCommands = (node: string): Commands => ({
  write: [node, '-e', `fs.writeFileSync('${FILE}', '${CONTENT.trim()}\\n')`],
  read: [node, '-p', `fs.readFileSync('${FILE}', 'utf8')`],
  readText: 'Now I read it back.',
  count: [node, '-p', `fs.statSync('${FILE}').size`],
  countName: 'Node',
});

const shell = (command: string[]) => ({ call: 'shell', args: { command } });
const usage = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });

/** The answers of the model, in the format of docs/scripted-models.md. The commands are real. */
export const scriptFor = ({ platform, execPath }: Pick<NodeJS.Process, 'platform' | 'execPath'>) => {
  const commands = platform === 'win32' ? windowsCommands(execPath) : COMMANDS;
  return {
    scenes: [
      { when: '^Write a greeting', answers: writing(commands) },
      { when: '^How many bytes', answers: counting(commands) },
    ],
  };
};

const writing = ({ write, read, readText }: Commands) => [
  {
    delayMs: 120,
    deltaDelayMs: 15,
    items: [{ text: `First I write ${FILE}; the policy makes me ask for that.`, deltas: 8 }, shell(write)],
    usage: usage(812, 41),
  },
  { delayMs: 80, items: [{ text: readText }, shell(read)], usage: usage(903, 29) },
  {
    delayMs: 80,
    deltaDelayMs: 15,
    items: [{ text: `${FILE} now says:\n{{output}}`, deltas: 6 }],
    usage: usage(961, 22),
  },
];

const counting = ({ count, countName }: Commands) => [
  { delayMs: 80, items: [shell(count)], usage: usage(1010, 18) },
  { delayMs: 80, items: [{ text: `${countName} says: {{output}}`, deltas: 3 }], usage: usage(1044, 9) },
];
