/**
 * Scenarios recorded from release 0.28.0, played with its real server and with this one, side by side: what they send and what their models
 * receive is equal, or `differences.json` says why it is not. A scenario that is declared and equal fails too, unless its reason cites
 * chance. A race may go either way, so what does not fit is played up to three times.
 */
import { join } from 'node:path';
import { diffArrays } from 'diff';
import { commandLine } from '../support/daemon/peer';
import { scenarios as declared } from './differences.json';
import { INSTALL_MS, installed } from './installed';
import { type Played, type Program, playScenario } from './wire/play';
import { readScenario, type Scenario, scenarioNames } from './wire/scenario';

const TRIES = 3;
/** Of the recorded scenarios, how many have equal lines at the least. */
const MIN_EQUAL = 79;
/** The executable of release 0.28.0 for this machine. */
const BINARY = `codex-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-${process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'}`;
const PLAY_MS = 120_000;
const REASONS: Record<string, string> = declared;
const SHOWN = { before: 80, characters: 400, lines: 20 };

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

/** How many characters both begin with. */
const commonStart = (one: string, other: string): number => {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return at < 0 ? one.length : at;
};

/** A line that is only in one of both, without what it begins with as its counterpart does. */
const shown = (mark: string, line: string, counterpart = ''): string => {
  const start = Math.max(0, commonStart(line, counterpart) - SHOWN.before);
  return `${mark} ${start > 0 ? '…' : ''}${line.slice(start, start + SHOWN.characters)}`;
};

const differences = (theirs: string[], own: string[]): string[] =>
  diffArrays(theirs, own).flatMap(({ added, removed, value }, at, parts) => {
    if (!added && !removed) return [];
    const counterpart = parts[added ? at - 1 : at + 1];
    const others = counterpart?.added || counterpart?.removed ? counterpart.value : [];
    return value.map((line, n) => shown(added ? '+' : '-', line, others[n]));
  });

/** What both differ in: lines of the original with `-`, ours with `+`, and what we did not do in time; then requests to the model. */
type Found = { lines: string[]; requests: string[] };

const compared = async (scenario: Scenario): Promise<Found> => {
  const both = needsPort(scenario)
    ? [await playScenario(scenario, original()), await playScenario(scenario, ours())]
    : await Promise.all([playScenario(scenario, original()), playScenario(scenario, ours())]);
  const [theirs, own] = both as [Played, Played];
  const lines = [...own.problems, ...differences(theirs.lines, own.lines)];
  return { lines, requests: differences(theirs.requests, own.requests) };
};

const isChance = (reason?: string): boolean => /^[^:]*\bchance\b/.test(reason ?? '');

/** True if only what the model receives differs; the lines are equal. */
const isOfRequests = (reason?: string): boolean => /^[^:]*\brequests\b/.test(reason ?? '');

/** What was found against what is declared: undefined if both fit. */
const misfit = ({ lines, requests }: Found, name: string): string[] | undefined => {
  const reason = REASONS[name];
  const found = [...lines, ...requests];
  if (isOfRequests(reason) && lines.length > 0) return lines;
  if (isChance(reason)) return undefined;
  if (reason === undefined) return found.length > 0 ? found : undefined;
  return found.length > 0 ? undefined : [`${name} is declared, and equal`];
};

const check = async (name: string): Promise<void> => {
  const scenario = readScenario(name);
  for (let left = TRIES; ; left -= 1) {
    const found = misfit(await compared(scenario), name);
    if (found === undefined) return;
    if (left === 1) return expect(found.slice(0, SHOWN.lines)).toEqual([]);
  }
};

const [alone, together] = [true, false].map((port) =>
  scenarioNames().filter((name) => needsPort(readScenario(name)) === port),
);

describe('the recorded scenarios of 0.28.0', () => {
  beforeAll(() => void installed('codex-0.28.0'), INSTALL_MS);

  it('have every name that is declared', () => {
    expect(Object.keys(REASONS).filter((name) => !scenarioNames().includes(name))).toEqual([]);
  });

  it('have equal lines but for those that are declared', () => {
    const equal = scenarioNames().filter((name) => !(name in REASONS) || isOfRequests(REASONS[name]));
    expect(equal.length).toBeGreaterThanOrEqual(MIN_EQUAL);
  });

  it.concurrent.each(together as string[])('%s is equal, or declared', check, PLAY_MS);

  it.each(alone as string[])('%s is equal, or declared', check, PLAY_MS);
});
