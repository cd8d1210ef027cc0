/** `codex-rx redact`: writes a tape without its secrets, to share it. */
import { concat, count, defer, finalize, map, type Observable, tap } from 'rxjs';
import { isLarge, itemsOf, type LoadDeps, loadItems } from '../../app/tapes/loadTape';
import { newTape, writeNew } from '../../app/tapes/writeFiles';
import { homeWithBlankOf, secretValuesOf } from '../../io/log/secretValues';
import { countKinds, redactTape } from '../../tapes/format/redactTape';
import { streamRedactor } from '../../tapes/format/streamRedactor';
import { TapeError } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { TAPE_FILE, tapeDeps } from '../tapeCommand';
import { print } from '../terminal';
import { homeHere } from '../thisProcess';

/** A shorter text would be part of ordinary words, so it is not removed. */
const MIN_VALUE_CHARS = 6;
/** Line numbers that a remark names. */
const MAX_LINES = 8;

export const redact = defineCommand({
  usage: '$0 redact FILE [--out FILE]',
  positionals: { file: TAPE_FILE },
  options: {
    out: { alias: 'o', type: 'string', describe: 'A new file for the result. Default: stdout' },
    value: {
      type: 'string',
      array: true,
      describe: `A text of your own to remove, of ${MIN_VALUE_CHARS} characters or more`,
    },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 redact tape.jsonl -o shared.jsonl', 'stderr lists what was removed, and from which lines'],
    ['$0 redact tape.jsonl --value acme-corp --value 10.0.0.7 > shared.jsonl', 'removes texts of your own as well'],
  ],
  epilogue:
    'Values of environment variables named KEY, SECRET, TOKEN or PASSWORD are removed as well. See docs/tapes.md.',
  problem: ({ value }) => {
    const short = value.find((text) => text.length < MIN_VALUE_CHARS);
    return short === undefined
      ? undefined
      : `--value must have ${MIN_VALUE_CHARS} characters or more; ${JSON.stringify(short)} has fewer`;
  },
  run: ({ file, out, value }) => {
    const { env } = process;
    const remark = remarkAs('redact');
    const secrets = [...secretValuesOf(env), ...homeWithBlankOf(homeHere()), ...value];
    startRedacting(tapeDeps('redact'), file, { out, secrets })
      .subscribe({
        next: ({ text, ...result }) => {
          if (text !== undefined) print(`${text}\n`);
          for (const line of toRemarks(result)) remark(line);
        },
        error: failAs('redact'),
      })
      .add(exitWhenWritten('redact'));
  },
});

type Result = { removed: Record<string, number>; lines: Record<string, number[]> };

const toRemarks = ({ removed, lines }: Result): string[] => {
  const remarks = Object.entries(removed).map(([kind, count]) => {
    const numbers = lines[kind] ?? [];
    const more = numbers.length > MAX_LINES ? ' …' : '';
    return numbers.length === 0
      ? `${count} × ${kind}`
      : `${count} × ${kind}, in line ${numbers.slice(0, MAX_LINES).join(', ')}${more}`;
  });
  return remarks.length > 0
    ? remarks
    : [
        'no secret was found; escapes deeper than nine levels and base64 deeper than three were not looked at, so read the tape before you share it',
      ];
};

type Redacted = {
  /** How often each kind was found. */
  removed: Record<string, number>;
  /** Numbers of the lines, by kind; of a large tape they are not known. */
  lines: Record<string, number[]>;
  /** The new tape, if no file was named; fit for a terminal. */
  text?: string;
};

type Choice = { out?: string; secrets: readonly string[] };

/** Removes the secrets from a tape, a large one in a stream. @param out a new file for the result; undefined for none */
const startRedacting = (deps: LoadDeps, path: string, { out, secrets }: Choice): Observable<Redacted> =>
  out !== undefined && isLarge(path)
    ? redactLarge(deps, path, { out, secrets })
    : redactWhole(deps, path, { out, secrets });

const redactLarge = (deps: LoadDeps, path: string, { out, secrets }: Required<Choice>): Observable<Redacted> =>
  defer(() => {
    const { learn, redact, end } = streamRedactor(secrets);
    const { write, sync, close } = newTape(out);
    return concat(
      itemsOf(deps, path).pipe(tap(learn)),
      itemsOf(deps, path).pipe(tap((item) => write(redact(item)))),
    ).pipe(
      count(),
      map(() => {
        const { items, removed } = end();
        write(items);
        sync();
        return { removed, lines: {} };
      }),
      finalize(close),
    );
  });

const redactWhole = (deps: LoadDeps, path: string, { out, secrets }: Choice): Observable<Redacted> =>
  loadItems(deps, path).pipe(
    map((items) => {
      if (!items.some(({ kind }) => kind === 'entry')) throw new TapeError(`${path} holds no tape`);
      const { items: redacted, removed } = redactTape(items, secrets);
      const text = redacted.flatMap((item) => toTapeLine(item) ?? []).join('\n');
      if (out !== undefined) writeNew(out, `${text}\n`);
      return { removed: countKinds(removed), lines: linesOf(removed), ...(out === undefined && { text }) };
    }),
  );

const linesOf = (removed: readonly { kind: string; lineNumber: number }[]): Record<string, number[]> => {
  const lines = new Map<string, Set<number>>();
  for (const { kind, lineNumber } of removed) {
    const known = lines.get(kind);
    if (known === undefined) lines.set(kind, new Set([lineNumber]));
    else known.add(lineNumber);
  }
  return Object.fromEntries([...lines].map(([kind, numbers]) => [kind, [...numbers]]));
};
