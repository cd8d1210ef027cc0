/** The commands that a person may type at the beginning of a prompt. */
import type { AvailableCommand } from '../../protocol/acp/acp';
import type { CustomPrompt, SessionFacts, Skill } from '../../protocol/methods/host';
import { clip } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import { splitWords } from '../../streams/text/words';
import { argumentsIn, fillPrompt } from '../mcp/library';
import type { Choices } from './sessionConfig';

/** What a command leads to: an operation, an answer without a model, or another text for the model. */
export type Command =
  | { kind: 'compact' | 'logout' }
  | { kind: 'rename'; name: string }
  | { kind: 'answer'; text: string }
  | { kind: 'input'; text: string };

type Own = AvailableCommand & { run: (about: About, words: string) => Command };

/** What a command knows of its session. */
type About = { id: string; facts: SessionFacts; choices: Choices };

const toInput = (text: string): Command => ({ kind: 'input', text });

const OWN: readonly Own[] = [
  {
    name: 'plan',
    description: 'Make a plan without changing anything',
    input: { hint: 'what to plan' },
    run: (_, words) =>
      toInput(
        `Make a plan for the following, and show it as a plan of steps. Read what you need, and change nothing yet.\n\n${words}`,
      ),
  },
  {
    name: 'review',
    description: 'Review the changes of the working tree',
    input: { hint: 'what to look at; by default all changes that are not committed' },
    run: (_, words) => toReview(words === '' ? 'all changes of the working tree that are not committed' : words),
  },
  {
    name: 'review-branch',
    description: 'Review what this branch adds to another one',
    input: { hint: 'the branch that it began from' },
    run: (_, base) =>
      isRevision(base)
        ? toReview(`the changes of this branch since it left ${base}, as \`git diff ${base}...HEAD\` shows them`)
        : usage('review-branch BRANCH', 'the branch that this one began from'),
  },
  {
    name: 'review-commit',
    description: 'Review one commit',
    input: { hint: 'its id' },
    run: (_, commit) =>
      isRevision(commit)
        ? toReview(`the commit ${commit}, as \`git show ${commit}\` shows it`)
        : usage('review-commit COMMIT', 'its id'),
  },
  {
    name: 'rename',
    description: 'Give this session another name',
    input: { hint: 'the name' },
    run: (_, name) => (name === '' ? usage('rename NAME', 'the new name') : { kind: 'rename', name }),
  },
  {
    name: 'compact',
    description: 'Summarize the conversation, so that it takes less of the context',
    run: () => ({ kind: 'compact' }),
  },
  {
    name: 'status',
    description: 'Show the settings of this session',
    run: (about) => ({ kind: 'answer', text: toStatus(about) }),
  },
  {
    name: 'mcp',
    description: 'List the MCP servers of this session',
    run: ({ facts: { servers } }) => ({ kind: 'answer', text: listOf(servers, 'This session has no MCP servers.') }),
  },
  {
    name: 'skills',
    description: 'List the skills; write $NAME in a prompt to use one',
    run: ({ facts: { skills } }) => ({ kind: 'answer', text: listOf(skills.map(toLine), NO_SKILLS) }),
  },
  { name: 'logout', description: 'Forget the login', run: () => ({ kind: 'logout' }) },
];

const toReview = (what: string): Command =>
  toInput(
    `Review ${what}. Name bugs, risks and missing tests, the worst first, each with its file and line. Change nothing.`,
  );

/** A branch or a commit: one word, and no option of git. */
const isRevision = (text: string): boolean => /^[^\s`-][^\s`]*$/.test(text);

const usage = (form: string, what: string): Command => ({ kind: 'answer', text: `Write /${form}, with ${what}.` });

const NO_SKILLS = 'There are no skills in .agents/skills of this project, nor in skills of the Codex home.';

const toLine = ({ name, description }: Skill): string => toVisible(`$${name}: ${description}`);

/** What the model is sent for the skills that a text names. Source: codex-rs/core-skills/src/injection.rs, names after a dollar. */
export const skillNotes = ({ skills }: SessionFacts, text: string): string[] => {
  const named = new Set([...text.matchAll(/\$([\w:-]+)/g)].map(([, name]) => name));
  return skills
    .filter(({ name }) => named.has(name))
    .map(({ name, path }) => `The user chose the skill ${name}: first read ${path}, and follow it.`);
};

const listOf = (items: readonly string[], none: string): string =>
  items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n');

const toStatus = ({ id, facts, choices }: About): string =>
  listOf(
    [
      `Thread: ${id}`,
      `Folder: ${facts.cwd}`,
      `Model: ${choices.model}, reasoning effort ${choices.effort}`,
      `Approval policy: ${choices.approvalPolicy}`,
      `Sandbox: ${choices.sandbox}`,
      `MCP servers: ${facts.servers.join(', ') || 'none'}`,
    ],
    '',
  );

/** The commands of a session: those of this program, the prompts that the person keeps under other names, and the skills. */
export const toCommands = ({ prompts, skills }: SessionFacts): AvailableCommand[] => [
  ...OWN.map(({ run: _, ...shown }) => shown),
  ...prompts
    .filter(({ name }) => !isOwn(name))
    .map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    })),
  ...skills.map(({ name, description }) => ({ name: `$${name}`, description: clip(toVisible(description), 200) })),
];

const isOwn = (name: string): boolean => OWN.some((own) => own.name === name);

/** The command at the beginning of a text; undefined if there is none of that name, as in a path. */
export const findCommand = (about: About, text: string): Command | undefined => {
  const [, name = '', words = ''] = /^\/([\w.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  const own = OWN.find((one) => one.name === name);
  if (own !== undefined) return own.run(about, words.trim());
  const prompt = about.facts.prompts.find((one) => one.name === name);
  return prompt && toText(prompt, words.trim());
};

/** Words fill `$1` to `$9`, and `NAME=value` fills `$NAME`, as in Codex 0.142.0. */
const toText = ({ name, text }: CustomPrompt, typed: string): Command => {
  const words = splitWords(typed) ?? typed.split(/\s+/);
  const named = words.flatMap((word) => {
    const [, key = '', value = ''] = NAMED.exec(word) ?? [];
    return key === '' ? [] : [[key, value] as const];
  });
  const numbered = words.filter((word) => !NAMED.test(word)).map((word, at) => [String(at + 1), word] as const);
  const given = Object.fromEntries([['ARGUMENTS', typed] as const, ...numbered, ...named]);
  const missing = argumentsIn(text).find((one) => one.required && !Object.hasOwn(given, one.name));
  return missing === undefined
    ? toInput(fillPrompt(text, given))
    : { kind: 'answer', text: `This prompt needs a value: /${name} ${missing.name}="…"` };
};

const NAMED = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/;
