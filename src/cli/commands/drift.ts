/** `codex-rx drift`: compares what two releases of a server offer, in words for a changelog. */
import { forkJoin, map } from 'rxjs';
import { loadOffers } from '../../app/tapes/loadOffers';
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { toCheckReport } from '../../tapes/check/toCheckReport';
import { compareOffers, type OfferChange } from '../../tapes/offers/compareOffers';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { REPORT_OPTION, tapeDeps } from '../tapeCommand';
import { print } from '../terminal';

const OFFERS_FILE = {
  type: 'string',
  required: true,
  describe: 'A tape with the lists of a server, or a JSON file with "tools", "prompts" or "resources"',
} as const;

export const drift = defineCommand({
  usage: '$0 drift OLD NEW',
  positionals: { old: OFFERS_FILE, new: OFFERS_FILE },
  options: REPORT_OPTION,
  afterDashes: 'nothing',
  examples: [
    ['$0 drift v1.jsonl v2.jsonl', 'what breaks clients, and what does not; exit code 1 if something does'],
    ['$0 drift v1.json v2.json --report json', 'the same for a program'],
  ],
  epilogue: 'Exit codes: 0 nothing breaks, 1 something does, 2 a file cannot be used. See docs/drift.md.',
  problem: (given) => (given.old === '-' && given.new === '-' ? 'only one of the files can be stdin' : undefined),
  run: (given) => {
    const deps = tapeDeps('drift');
    forkJoin([loadOffers(deps, given.old), loadOffers(deps, given.new)])
      .pipe(map(([before, after]) => compareOffers(before, after)))
      .subscribe({
        next: (changes) => {
          print(toDriftReport(given.report, changes, given.new));
          if (changes.some(isBreaking)) process.exitCode = exitCode.failed;
        },
        error: failAs('drift'),
      })
      .add(exitWhenWritten('drift'));
  },
});

const isBreaking = ({ effect }: OfferChange): boolean => effect === 'breaking';

/** The changes as a list for a changelog, as JSON, or as JUnit with a failure for each that breaks. */
export const toDriftReport = (
  report: 'text' | 'json' | 'junit',
  changes: readonly OfferChange[],
  name: string,
): string => {
  const broken = changes.filter(isBreaking);
  if (report === 'json')
    return `${toVisibleLines(JSON.stringify({ compatible: broken.length === 0, changes }, null, 2))}\n`;
  if (report === 'junit') {
    const findings = broken.map(({ what, text }) => ({ rule: 'drift' as const, lineNumber: 0, what, text }));
    return toCheckReport('junit', [{ name, calls: 0, findings }]);
  }
  const others = changes.filter((one) => !isBreaking(one));
  const lines = [...section('Breaking', broken), ...section('Compatible', others)];
  return `${[...lines, toSummary(broken.length, others.length)].join('\n')}\n`;
};

const section = (title: string, changes: readonly OfferChange[]): string[] =>
  changes.length === 0 ? [] : [`${title}:`, ...changes.map(({ what, text }) => toVisible(`- ${what}: ${text}`)), ''];

const toSummary = (broken: number, others: number): string => {
  if (broken + others === 0) return 'SAME: nothing changed';
  const all = `${counted(broken, 'breaking change')}, ${counted(others, 'compatible change')}`;
  return broken > 0 ? `BREAKING: ${all}` : `COMPATIBLE: ${all}`;
};
