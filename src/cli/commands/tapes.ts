/** `codex-rx tapes`: lists, copies and removes the tapes that a team keeps on a NATS server, and writes a tape as stable text. */
import { map, type Observable } from 'rxjs';
import { loadSessions } from '../../app/tapes/loadTape';
import { copyTape, listTapes, removeTape } from '../../app/tapes/natsTapes';
import { isNatsAddress } from '../../io/nats/natsAddress';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { toText } from '../../tapes/diff/toText';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { tapeDeps } from '../tapeCommand';
import { print } from '../terminal';

const ACTIONS = ['ls', 'cp', 'rm', 'show'] as const;
type Action = (typeof ACTIONS)[number];

export const tapes = defineCommand({
  usage: '$0 tapes ls ADDRESS | cp FROM TO | rm ADDRESS | show TAPE',
  positionals: {
    action: { type: 'string', required: true, choices: ACTIONS, describe: 'What to do: ls, cp, rm, show' },
    from: {
      type: 'string',
      required: true,
      describe: 'nats://HOST for ls, nats://HOST/NAME for rm; any tape for cp and show',
    },
    to: { type: 'string', describe: 'cp: a new tape, nats://HOST/NAME or a file' },
  },
  options: { json: { type: 'boolean', describe: 'ls: print JSON instead of a table' } },
  afterDashes: 'nothing',
  examples: [
    ['$0 tapes ls nats://nats.lan', 'the names, sizes and times of all tapes'],
    ['$0 tapes cp tape.jsonl nats://nats.lan/nightly', 'the same to the byte'],
    ['$0 tapes rm nats://nats.lan/nightly', 'for good'],
    ['$0 tapes show tape.jsonl', 'text without times and ids, for git diff'],
  ],
  epilogue: 'Exit codes: 0 done, 2 there is no such tape, or the server cannot be used. See docs/fleet.md.',
  problem: ({ action, from, to }) => {
    if (action === 'cp') return to === undefined ? 'cp needs two tapes: from and to' : undefined;
    if (to !== undefined) return `${action} takes one address`;
    return action === 'show' || isNatsAddress(from)
      ? undefined
      : `${action} needs the address of a server: nats://HOST`;
  },
  run: ({ action, from, to = '', json }) => {
    text(action, { from, to, json })
      .subscribe({ next: (lines) => print(lines), error: failAs('tapes') })
      .add(exitWhenWritten('tapes'));
  },
});

type Given = { from: string; to: string; json?: boolean };

/** What the command prints. */
const text = (action: Action, { from, to, json }: Given): Observable<string> => {
  const deps = tapeDeps('tapes');
  switch (action) {
    case 'ls':
      return listTapes(deps, from).pipe(map((all) => (json ? toJson(all) : all.map(toLine).join(''))));
    case 'cp':
      return copyTape(deps, from, to).pipe(map((bytes) => `copied ${bytes} bytes to ${toVisible(to)}\n`));
    case 'show':
      return loadSessions(deps, { path: from, number: undefined }).pipe(
        map((all) => toVisibleLines(`${all.flatMap(({ session }) => toText(toSessionIndex(session))).join('\n')}\n`)),
      );
    case 'rm':
      return removeTape(deps, from).pipe(map(() => `removed ${toVisible(from)}\n`));
  }
};

type Listed = { name: string; bytes: number; atMs: number };

const toJson = (all: readonly Listed[]): string => {
  const listed = all.map(({ atMs, ...one }) => ({ ...one, written: new Date(atMs).toISOString() }));
  return `${JSON.stringify(listed, null, 2)}\n`;
};

const SIZE = 12;

const toLine = ({ name, bytes, atMs }: Listed): string =>
  `${new Date(atMs).toISOString()} ${String(bytes).padStart(SIZE)}  ${toVisible(name)}\n`;
