/** A server that conforms passes; each planted fault is found by the cases that are named for it, and by no other. */
import { concatMap, map, mergeMap, timer } from 'rxjs';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import type { SignalledServer } from '../../../src/tapes/sessions/playSession';
import { CASES } from '../../../src/testing/conform/caseTable';
import type { Result } from '../../../src/testing/conform/conform';
import { protocolOf } from '../../../src/testing/conform/conformCase';
import { RULES } from '../../../src/testing/conform/rules';
import { mcpDeps } from '../../support/mcp';
import { LEGACY_FAULTS, MODERN_FAULTS } from './faults';
import { CALL_FAULTS, LINE_FAULTS } from './lineFaults';
import { changed, is } from './planting';
import { type Fault, isSmall, offerOf, resultsOf, serverOf } from './servers';

const failuresIn = (results: readonly Result[]): string[] =>
  results
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ sentence, faults }) => `${sentence.id}: ${faults.join('; ')}`);

const idsIn = (results: readonly Result[]): string[] =>
  results.filter(({ verdict }) => verdict === 'failed').map(({ sentence }) => sentence.id);

/** Only processes get signals and bytes. */
const OF_PROCESSES = /^(?:signal|bytes)-/;

const ofMcp = CASES.filter((one) => protocolOf(one) === 'mcp' && isSmall(one) && !OF_PROCESSES.test(one.id));

const OFFER = offerOf(serverOf());

const ERAS = [
  { era: 'with a handshake', revisions: ['2025-03-26', '2025-11-25'], faults: LEGACY_FAULTS },
  { era: 'without a handshake', revisions: ['2026-07-28'], faults: MODERN_FAULTS },
] as const;

describe('conform', () => {
  it('passes a server that conforms, and checks it at all', async () => {
    const results = await resultsOf(serverOf(), { kind: 'process' });
    expect(failuresIn(results.filter(({ sentence }) => !OF_PROCESSES.test(sentence.id)))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(300);
  });

  it('passes our own server', async () => {
    const ours = () => (line$: Parameters<ReturnType<typeof mcpServer>>[0]) =>
      line$.pipe(
        mergeMap((lines) => lines.split('\n')),
        mcpServer(mcpDeps()),
        map((line) => ({ kind: 'line' as const, line })),
      );
    const tools = [{ name: 'codex', arguments: { prompt: 'say hi' } }];
    const results = await resultsOf(ours, {}, offerOf(ours, tools));
    expect(failuresIn(results)).toEqual([]);
  });

  it.each<[string, Fault]>([
    ['is silent at pings', (good) => (line) => (is(line, 'ping') ? [] : good(line))],
    [
      'knows no pings',
      changed('ping', ({ result, ...response }) => ({ ...response, error: { code: -32601, message: 'x' } })),
    ],
  ])('finds a server that %s by the cases of ping alone', async (_, fault) => {
    const server = serverOf(fault);
    const offer = await offerOf(server);
    expect(offer.probe).toBe('tools/list');
    const played = ofMcp.filter(({ id }) => /ping|^(?:id|json|unknown|notification)-/.test(id));
    const choice = { revisions: ['2025-11-25' as const], cases: played };
    const failed = idsIn(await resultsOf(server, choice, Promise.resolve(offer)));
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.filter((id) => !id.includes('ping'))).toEqual([]);
  });

  it('gives a server that starts slowly the time to send what nobody asked for', async () => {
    const late: SignalledServer = (signal$) => (line$) =>
      timer(40).pipe(concatMap(() => line$.pipe(serverOf(undefined, ['{"jsonrpc":"2.0","method":"x"}'])(signal$))));
    const choice = { kind: 'process' as const, cases: CASES.filter(({ id }) => id === 'silent-start') };
    const offer = OFFER.then((given) => ({ ...given, startMs: 60 }));
    expect(idsIn(await resultsOf(late, choice, offer))).toContain('silent-start');
  });

  it.each([...LINE_FAULTS, ...Object.entries(CALL_FAULTS)])('finds a server that %s', async (_, { fault, found }) => {
    const isModern = found.some((id) => id.startsWith('modern-'));
    const played = ofMcp.filter(({ id }) => found.includes(id) || WITNESSES.includes(id));
    const revisions = ['2025-03-26', ...(isModern ? ['2026-07-28' as const] : [])] as const;
    const failed = [...new Set(idsIn(await resultsOf(serverOf(fault), { revisions, cases: played }, OFFER)))];
    const named = found.filter((id) => id !== 'EVERY');
    expect(found.includes('EVERY') ? failed.filter((id) => named.includes(id)).sort() : failed.sort()).toEqual(
      named.toSorted(),
    );
  });

  describe.each(ERAS)('of a revision $era', ({ revisions, faults }) => {
    const rows = Object.entries(faults);
    const only = (found: readonly string[]) => ({
      revisions,
      cases: CASES.filter(({ id }) => found.includes(id)),
      rules: RULES.filter(({ id }) => found.includes(id)),
    });

    it.each(rows)('finds a server that %s', async (_, { fault, found }) => {
      const provoked = CASES.filter(({ id }) => PROVOKE.includes(id));
      const { cases, ...choice } = only(found);
      const results = await resultsOf(serverOf(fault), { ...choice, cases: [...new Set([...cases, ...provoked])] });
      const ids = new Set(idsIn(results));
      expect(found.filter((id) => !ids.has(id))).toEqual([]);
    });

    it('finds all of them in one server, and nothing else', async () => {
      const all: Fault = rows.map(([, { fault }]) => fault).reduce((one, other) => (good) => other(one(good)));
      const results = await resultsOf(serverOf(all), { revisions, cases: ofMcp });
      const named = new Set(rows.flatMap(([, { found }]) => found));
      expect(failuresIn(results).filter((text) => !named.has(text.split(':')[0] as string))).toEqual([]);
    });
  });
});

/** Cases that provoke what only rules find. */
const PROVOKE = [
  'prompts-list',
  'tools-list',
  'resources-list',
  'prompts-get-unknown',
  'completion-no-argument',
  'resources-read-fails',
];

/** Cases that must not find a fault of another name, and provoke what only rules find. */
const WITNESSES = [
  'ping',
  'unknown-method',
  'notification-unknown',
  'id-negative',
  'tools-list',
  'tools-call',
  'slow-call-progress-zero',
  'asking-call-declined',
  'asking-call-undeclared',
];
