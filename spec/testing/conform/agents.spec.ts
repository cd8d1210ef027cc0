/** An agent that conforms passes; each planted fault is found by the cases named for it, by what is learned of that agent, and by no other. */
import { concatMap, from, lastValueFrom, map, mergeMap, type Observable, toArray } from 'rxjs';
import { acpServer } from '../../../src/server/acp/acpServer';
import type { SignalledServer } from '../../../src/tapes/sessions/playSession';
import { ALL_RULES, CASES } from '../../../src/testing/conform/caseTable';
import { conform, type Result } from '../../../src/testing/conform/conform';
import { ACP_1, type Offer, protocolOf } from '../../../src/testing/conform/conformCase';
import { learnAgent } from '../../../src/testing/conform/learnOffer';
import { acpDeps } from '../../support/acp';
import { AGENT_FAULTS } from './acp/agentFaults';
import { agentOf } from './acp/agents';
import { CLIENT_FAULTS } from './acp/clientFaults';
import { fakeServers } from './acp/fakeServers';
import { isSmall } from './servers';

const cases = CASES.filter((one) => protocolOf(one) === 'acp' && isSmall(one));

const depsOf = (server: SignalledServer) => ({ server, limitMs: 400, settleMs: 10, now: () => performance.now() });
/** The first for most cases, the others for the client's side. */
const PROMPTS = ['Say hi', 'ask', 'read', 'write', 'run'];
const offerOf = (server: SignalledServer, prompts: readonly string[] = PROMPTS): Promise<Offer> =>
  lastValueFrom(learnAgent(depsOf(server), { folder: '/work', prompts }));

const resultsOf = (server: SignalledServer, { played = cases, offer = offerOf(server) } = {}): Promise<Result[]> => {
  const deps = depsOf(server);
  const choice = {
    cases: played,
    rules: ALL_RULES,
    kind: 'url' as const,
    jobs: 16,
    folder: '/work',
    servers: fakeServers,
  };
  return lastValueFrom(
    from(offer).pipe(concatMap((offer): Observable<Result[]> => conform({ deps, offer, choice }).pipe(toArray()))),
  );
};

const failuresIn = (results: readonly Result[]): string[] =>
  results
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ sentence, faults }) => `${sentence.id}: ${faults.join('; ')}`);

/** Cases that must not find a fault of another name, and provoke what only rules find. */
const WITNESSES = [
  'acp-initialize',
  'acp-id-negative',
  'acp-notification-custom',
  'acp-session-new',
  'acp-session-list-folder',
  'acp-session-set-mode',
  'acp-session-set-config-option',
  'acp-session-delete',
  'acp-session-close',
  'acp-prompt',
  'acp-prompt-two-sessions',
  'acp-cancel-at-once',
  'acp-cancel-request',
];

/** Faults that many cases come across: these are among them. */
const EVERY = 'EVERY';

describe('conform of agents', () => {
  it('passes an agent that conforms, and checks it at all', async () => {
    const results = await resultsOf(agentOf());
    expect(failuresIn(results)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(213);
    expect(new Set(results.map(({ revision }) => revision))).toEqual(new Set([ACP_1]));
  });

  it('passes our own agent, with a model that takes a moment', async () => {
    const ours: SignalledServer = () => (line$) =>
      line$.pipe(
        mergeMap((lines) => lines.split('\n')),
        acpServer(acpDeps()),
        map((line) => ({ kind: 'line' as const, line })),
      );
    const needsFiles = /^acp-(?:mcp-|session-(?:load-replays|resume-is-silent|list-|delete-then-list)|end-of-input)/; // without disk and programs
    const played = [...cases, ...CASES.filter(({ id }) => id === 'acp-pipelined-100')];
    expect(
      failuresIn(await resultsOf(ours, { played, offer: offerOf(ours, ['20']) })).filter(
        (text) => !needsFiles.test(text),
      ),
    ).toEqual([]);
  });

  it.each([...Object.entries(AGENT_FAULTS), ...Object.entries(CLIENT_FAULTS)])(
    'finds an agent that %s',
    async (_, { fault, found }) => {
      const played = cases.filter(({ id }) => found.includes(id) || WITNESSES.includes(id));
      const failed = failuresIn(await resultsOf(agentOf(fault), { played })).map(
        (text) => text.split(':')[0] as string,
      );
      const named = found.filter((id) => id !== EVERY);
      expect(found.includes(EVERY) ? failed.filter((id) => named.includes(id)).sort() : failed.sort()).toEqual(
        named.toSorted(),
      );
    },
  );
});
