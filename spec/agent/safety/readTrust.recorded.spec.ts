import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import { bashDeps, casesOf, trustOf } from './support';

const judge = trustOf({ read: bashReaders(bashDeps).read });
const trusts = (argv: readonly string[]): Promise<boolean> => firstValueFrom(judge(argv));

describe('readTrust beside Codex 0.28.0', () => {
  type Recorded = { id: string; argv: string[]; asks: boolean; original_hole?: string };
  const recorded = casesOf<Recorded>('safe_commands_dev');

  /** Where we ask and it did not, by reason. */
  const stricter: Record<string, string[]> = {
    'cargo check runs build scripts': ['sc161', 'sc162', 'sc300'],
    'a branch is deleted': ['sc156'],
    'a file is written': ['sc157'],
    'a configured program is run': ['sc159'],
    'rg runs a decompressor': ['sc126', 'sc127'],
    'what begins like a flag that acts': ['sc112'],
    'a backslash outside quotes: hides a flag': ['sc381', 'sc382', 'sc383', 'sc385'],
    'a backslash outside quotes: no need to tell these apart': ['sc235', 'sc248'],
    'a line continued: bash joins what the grammar splits': ['sc311', 'sc312'],
  };

  /** Where it asked and we do not: most of the questions of real sessions were about these. */
  const looser: Record<string, string[]> = {
    'printf and test run nothing and write nothing, without -v and %n': ['sc033', 'sc050', 'sc310'],
    'git rev-parse reads': ['sc141'],
    'git runs without a pager anyway': ['sc155'],
    'a word of several quoted parts is certain': ['sc256', 'sc257', 'sc425', 'sc426'],
    'sort without a file reads a pipe': ['sc289'],
  };

  /** The commands that are decided otherwise without a reason, and the reasons without such a command. */
  const withoutReason = (found: readonly Recorded[], reasons: Record<string, string[]>): string[] => {
    const named = Object.values(reasons).flat();
    const ids = found.map(({ id }) => id);
    return [
      ...found.filter(({ id }) => !named.includes(id)).map(({ id, argv }) => `${id} needs a reason: ${argv.join(' ')}`),
      ...named.filter((id) => !ids.includes(id)).map((id) => `${id} is decided as by Codex: remove it`),
    ];
  };

  it('trusts only these of what the original asks about', async () => {
    const asked = recorded.filter(({ asks }) => asks);
    const trusted = await Promise.all(asked.map(({ argv }) => trusts(argv)));
    const found = asked.filter((_, at) => trusted[at]);
    expect(withoutReason(found, looser)).toEqual([]);
  });

  it('asks about these, and only these, that the original trusts', async () => {
    const unasked = recorded.filter(({ asks }) => !asks);
    const trusted = await Promise.all(unasked.map(({ argv }) => trusts(argv)));
    const found = unasked.filter((_, at) => !trusted[at]);
    expect(withoutReason(found, stricter)).toEqual([]);
  });

  it('asks about every hole that was found in the original', async () => {
    const holes = recorded.filter(({ original_hole }) => original_hole !== undefined);
    expect(await Promise.all(holes.map(({ argv }) => trusts(argv)))).toEqual(holes.map(() => false));
  });
});
