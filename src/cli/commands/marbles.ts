/** `codex-rx marbles`: writes a tape as a spec in marbles, which runs against a server. */
import { of } from 'rxjs';
import { version } from '../../../package.json';
import { joinWords } from '../../streams/text/words';
import { RUNNERS } from '../../tapes/specWriter/toSpec';
import { defineCommand } from '../command';
import { type Asked, askFirst } from '../consent';
import { exitWhenWritten, failAs } from '../ending';
import { sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { startWritingSpec } from '../tapes/startWritingSpec';
import { print } from '../terminal';

export const marbles = defineCommand({
  usage: '$0 marbles FILE [MORE...] [-- COMMAND [ARGUMENTS]]',
  positionals: {
    file: TAPE_FILE,
    more: {
      type: 'string',
      array: true,
      describe: 'More recordings of the same behaviour: what differs between them may differ in the spec, nothing else',
    },
  },
  options: {
    session: sessionOf('each file'),
    from: { type: 'number', from: 0, describe: 'Begin with the messages that the client sent at this time, in ms' },
    to: { type: 'number', from: 0, describe: 'End with the messages that the client sent up to this time, in ms' },
    thread: { type: 'string', describe: 'Only the calls that name this thread id' },
    against: {
      type: 'string',
      choices: ['command', 'tape'],
      default: 'command',
      describe: 'What the spec runs: the command after -- or on the tape, or the tape itself as a server',
    },
    runner: { type: 'string', choices: RUNNERS, default: 'node', describe: 'The test runner that the spec is for' },
    'trust-tape': {
      type: 'boolean',
      describe: 'Do not ask whether the spec may start the command that the tape names; for a tape of your own',
    },
    out: { alias: 'o', type: 'string', describe: 'A new file for the spec. Default: stdout' },
  },
  afterDashes: 'command',
  examples: [
    ['$0 marbles tape.jsonl -o server.test.mjs -- node server.js', 'then run: node --test server.test.mjs'],
    ['$0 marbles tape.jsonl --runner jest -o server.spec.ts -- node server.js', 'for another server'],
    ['$0 marbles a.jsonl b.jsonl -o server.test.mjs', 'values that differ become named holes'],
    ['$0 marbles tape.jsonl --from 2000 --to 9000', 'the handshake, and the messages of that time'],
  ],
  epilogue: 'The spec imports codex-rx/testing. See docs/testing.md.',
  problem: ({ file, more, from, to, thread, runner, out = '' }) => {
    if (runner === 'vitest' && /\.c[jt]s$/.test(out))
      return 'vitest cannot be required: name a file that ends with .mjs or .ts';
    if ([file, ...more].filter((path) => path === '-').length > 1) return 'only one of the files can be stdin';
    if ((to ?? Number.POSITIVE_INFINITY) < (from ?? 0)) return '--to must not be before --from';
    const isPart = from !== undefined || to !== undefined || thread !== undefined;
    return isPart && more.length > 0
      ? '--from, --to and --thread select a part of one recording: name one file'
      : undefined;
  },
  run: ({ file, more, session, from, to, thread, against, runner, out, command, 'trust-tape': trusts }) => {
    const asked = {
      path: file,
      others: more,
      session,
      choice: { fromMs: from, toMs: to, thread },
      command: command.length > 0 ? command : undefined,
      consent: (named: readonly string[]) => (trusts ? of(true) : askFirst(process)(askedOf(named))),
      against,
      runner,
      out,
    };
    startWritingSpec({ ...tapeDeps('marbles'), version }, asked)
      .subscribe({
        next: (text) => text !== undefined && print(text),
        error: failAs('marbles'),
      })
      .add(exitWhenWritten('marbles'));
  },
});

const askedOf = (command: readonly string[]): Asked => ({
  title: 'Each run of the spec starts the command that the tape names',
  list: [joinWords(command)],
  refusal: 'Nothing was started',
  remedy: 'write the command to start after --, or take --against tape, or --trust-tape for a tape of your own',
});
