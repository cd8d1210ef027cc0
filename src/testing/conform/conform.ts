/** Plays all cases against a server, several at once, and gathers how each went. */
import { concatMap, connect, from, map, merge, mergeMap, type Observable, of, reduce } from 'rxjs';
import { toObject } from '../../protocol/jsonrpc/json';
import { MODERN_VERSION } from '../../protocol/mcp/mcp';
import {
  ACP_1,
  type ConformCase,
  type ConformRule,
  type Observed,
  type ObservedLine,
  type Offer,
  type Revision,
  type Sentence,
} from './conformCase';
import { guarded } from './expecting';
import { type Known, missingOf, type Need, promptFor, toolFor } from './needs';
import { type CaseDeps, playCase } from './playCase';
import type { GivenServers } from './probeServers';
import { toGiven } from './speaking';

/** What is checked of a server. */
export type Choice = {
  cases: readonly ConformCase[];
  rules: readonly ConformRule[];
  /** Default: of the revisions that the server speaks, the newest with a handshake, and the revision without. */
  revisions?: readonly Revision[];
  /** Where sessions of an agent work, absolute. */
  folder?: string;
  /** Makes servers of MCP for a session of an agent. Default: there are none. */
  servers?: () => GivenServers;
  /** Whether the server is a process that is started for each case, or behind a URL. */
  kind: 'process' | 'url';
  /** How many cases are played at once. */
  jobs: number;
};

/** How a case or a rule went at a revision. */
export type Result = {
  sentence: Sentence;
  revision: Revision;
  verdict: 'passed' | 'failed' | 'not applicable';
  /** What is wrong, or why it does not apply. */
  faults: readonly string[];
  drawing: string;
  ms: number;
  /** The session that failed, or broke the rule. */
  lines?: readonly ObservedLine[];
  /** Where a failure is shown: its tape, or what starts the server. Default: nowhere. */
  place?: Place;
};

/** A line of a file, by a URI, relative to the folder that is checked if the file is in it. */
export type Place = { uri: string; line: number };

/** A server, and what is checked of it. */
export type Checked = { deps: CaseDeps; offer: Offer; choice: Choice };

type Planned = { one: ConformCase; revision: Revision; missing?: string };
type Outcome = { result: Result; broken: readonly Result[] };

/** Emits the result of each case as it is over, at last those of the rules, and completes. */
export const conform = (checked: Checked): Observable<Result> =>
  from(planOf(checked)).pipe(
    mergeMap((planned) => run(checked, planned), checked.choice.jobs),
    connect((outcome$) =>
      merge(
        outcome$.pipe(map(({ result }) => result)),
        outcome$.pipe(
          reduce<Outcome, Result[]>(
            (all, { broken }) => [...all, ...broken.filter((one) => !all.some(isSame(one)))],
            [],
          ),
          concatMap((broken) => rulesOf(checked, broken)),
        ),
      ),
    ),
  );

/** The cases to be played and the rules, each at the revisions that it is checked at. */
export const countOf = (checked: Pick<Checked, 'offer' | 'choice'>): number =>
  planOf(checked).length + rulesOf(checked, []).length;

const knownOf = (offer: Offer, choice: Choice, revision: Revision): Known => ({
  capabilities: toObject(offer.capabilities[revision]),
  kind: choice.kind,
  tools: offer.tools ?? [],
  prompts: offer.prompts ?? [],
  hasServers: choice.servers !== undefined,
});

const planOf = ({ offer, choice }: Pick<Checked, 'offer' | 'choice'>): Planned[] =>
  choice.cases.flatMap((one) =>
    revisionsFor(one, offer, choice).map((revision) => ({
      one,
      revision,
      missing: missingOf(needsOf(one), knownOf(offer, choice, revision)),
    })),
  );

const revisionsFor = ({ revisions }: Sentence, offer: Offer, { revisions: chosen }: Choice): Revision[] => {
  const spoken = offer.revisions.filter((revision) => revisions.includes(revision));
  if (chosen !== undefined) return spoken.filter((revision) => chosen.includes(revision));
  const newest = spoken.findLast((revision) => revision !== MODERN_VERSION);
  return [newest, spoken.find((revision) => revision === MODERN_VERSION)].filter((one) => one !== undefined);
};

/** What a case needs, and what every case of its kind needs. */
const needsOf = ({ needs = [], extension, opening, revisions }: ConformCase): Need[] => [
  ...(extension === 'tasks' ? (['tasks'] as const) : []),
  ...(revisions.includes(ACP_1) && opening === undefined ? (['session'] as const) : []),
  ...needs,
];

const run = ({ deps, offer, choice }: Checked, { one, revision, missing }: Planned): Observable<Outcome> => {
  const base = { sentence: one, revision, drawing: '', ms: 0 };
  if (missing !== undefined)
    return of({ result: { ...base, verdict: 'not applicable' as const, faults: [missing] }, broken: [] });
  const { folder, servers } = choice;
  const prompt = promptFor(one.needs ?? [], offer.prompts ?? []);
  const tool = toolFor(one.needs ?? [], offer.tools ?? []);
  return playCase(
    one.opening === 'none' ? { ...deps, settleMs: deps.settleMs + 2 * offer.startMs } : deps, // the server may still be starting
    one,
    toGiven(offer, revision, { tool, declared: one.capabilities, folder, prompt, servers: servers?.() }),
  ).pipe(
    map(({ faults, drawing, observed, ms }): Outcome => {
      const isFailed = faults.length > 0;
      const verdict = isFailed ? 'failed' : 'passed';
      const result: Result = { ...base, verdict, faults, drawing, ms, ...(isFailed && { lines: observed.lines }) };
      return { result, broken: brokenIn(choice, one, observed) };
    }),
  );
};

const brokenIn = ({ rules }: Choice, { id, over }: ConformCase, observed: Observed): Result[] =>
  rules.flatMap((rule): Result[] => {
    const isMessages = over === undefined && rule.revisions.includes(observed.revision);
    const fault = isMessages ? guarded(rule.faultOf)(observed) : undefined;
    const base = {
      sentence: rule,
      revision: observed.revision,
      verdict: 'failed' as const,
      drawing: '',
      ms: 0,
      lines: observed.lines,
    };
    return fault === undefined ? [] : [{ ...base, faults: [`in ${id}: ${fault}`] }];
  });

const isSame =
  (one: Result) =>
  ({ sentence, revision }: Result): boolean =>
    sentence.id === one.sentence.id && revision === one.revision;

const rulesOf = ({ offer, choice }: Pick<Checked, 'offer' | 'choice'>, broken: readonly Result[]): Result[] =>
  choice.rules.flatMap((rule) =>
    revisionsFor(rule, offer, choice).map((revision): Result => {
      const missing = missingOf(rule.extension === 'tasks' ? ['tasks'] : [], knownOf(offer, choice, revision));
      const verdict = missing === undefined ? 'passed' : 'not applicable';
      const faults = missing === undefined ? [] : [missing];
      const kept: Result = { sentence: rule, revision, verdict, faults, drawing: '', ms: 0 };
      return broken.find(isSame(kept)) ?? kept;
    }),
  );
