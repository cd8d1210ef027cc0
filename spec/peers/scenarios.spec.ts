/**
 * Scenarios recorded from release 0.28.0, played with its real server and with this one, side by side: the lines are equal, or
 * `docs/differences.json` says why they are not. A scenario that is declared and equal fails too, unless its reason says that it is "a
 * matter of chance". A race may go either way, so what does not fit is played up to three times.
 */
import { join } from 'node:path';
import { diffArrays } from 'diff';
import declared from '../../docs/differences.json';
import { commandLine } from '../support/peer';
import { INSTALL_MS, installed } from './installed';
import { type Program, playScenario } from './wire/play';
import { readScenario, type Scenario, scenarioNames } from './wire/scenario';

const TRIES = 3;
/** Its name for this machine. */
const BINARY = `codex-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-${process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'}`;
const PLAY_MS = 120_000;
const REASONS: Record<string, string> = declared;
const SHOWN = { characters: 400, lines: 20 };

/** Programs of release 0.28.0 listen for a login at one fixed port. */
const needsPort = (scenario: Scenario): boolean => /login/i.test(JSON.stringify(scenario.steps));

/** The executable itself: what npm links runs it as a child, with a variable more in its environment. */
const original = (): Program => {
  const folder = join(installed('codex-0.28.0'), '../@openai/codex/bin');
  const codex = join(folder, BINARY);
  return { command: [codex, 'mcp'], itself: codex };
};

const ours = (): Program => {
  const [node, args] = commandLine('mcp-server', '--face', '0.28', '--engine', 'native');
  return { command: [node, ...args], itself: args[0] as string };
};

const differences = (theirs: string[], own: string[]): string[] =>
  diffArrays(theirs, own).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${added ? '+' : '-'} ${line.slice(0, SHOWN.characters)}`) : [],
  );

/** What keeps both from being equal: lines of the original with `-`, ours with `+`, and what we did not do in time. */
const compared = async (scenario: Scenario): Promise<string[]> => {
  const both = needsPort(scenario)
    ? [await playScenario(scenario, original()), await playScenario(scenario, ours())]
    : await Promise.all([playScenario(scenario, original()), playScenario(scenario, ours())]);
  const [theirs, own] = both as [(typeof both)[number], (typeof both)[number]];
  return [...own.problems, ...differences(theirs.lines, own.lines)].slice(0, SHOWN.lines);
};

/** The differences of the first play that fits what is declared; of the last one, where none does. */
const judged = async (name: string): Promise<string[]> => {
  const reason = REASONS[name];
  for (let left = TRIES; ; left -= 1) {
    const found = await compared(readScenario(name));
    const fits = reason?.includes('a matter of chance') || found.length > 0 === (reason !== undefined);
    if (fits || left === 1) return found;
  }
};

const check = async (name: string): Promise<void> => {
  const found = await judged(name);
  const reason = REASONS[name];
  if (reason === undefined) expect(found).toEqual([]);
  else if (found.length === 0 && !reason.includes('a matter of chance'))
    throw new Error(`${name} is declared, and equal`);
};

const [alone, together] = [true, false].map((port) =>
  scenarioNames().filter((name) => needsPort(readScenario(name)) === port),
);

describe('the recorded scenarios of 0.28.0', () => {
  beforeAll(() => void installed('codex-0.28.0'), INSTALL_MS);

  it('are the ones that are declared', () => {
    expect(Object.keys(REASONS).filter((name) => !scenarioNames().includes(name))).toEqual([]);
  });

  it.concurrent.each(together as string[])('%s is equal, or declared', check, PLAY_MS);

  it.each(alone as string[])('%s is equal, or declared', check, PLAY_MS);
});
