/** What is learned of a server before its cases: what calls of its tools are like, and which cases apply then. */

import { lastValueFrom } from 'rxjs';
import { CASES } from '../../../src/testing/conform/caseTable';
import { learnTools } from '../../../src/testing/conform/learnTools';
import { type Known, missingOf, toolFor } from '../../../src/testing/conform/needs';
import { offerOf, serverOf } from './servers';

const tools = ['echo', 'slow', 'ask'].map((name) => ({ name, arguments: {} }));

describe('learnTools', () => {
  it('learns which tool asks, and which becomes a task', async () => {
    const deps = { server: serverOf(), limitMs: 250, settleMs: 10, now: () => 0 };
    const { tools: learned } = await lastValueFrom(learnTools(deps, await offerOf(serverOf(), []), tools));
    expect(learned).toEqual([
      { name: 'echo', arguments: {}, isSlow: false },
      { name: 'slow', arguments: {}, isSlow: false, task: 'ends' },
      { name: 'ask', arguments: {}, isSlow: false, asks: 'elicitation/create', task: 'asks' },
    ]);
  });

  it('learns that a call is slow, and names quick tools first', async () => {
    let now = 0;
    const deps = {
      server: serverOf(),
      limitMs: 250,
      settleMs: 10,
      now: () => {
        now += 1_500;
        return now;
      },
    };
    const offer = await offerOf(serverOf(), []);
    const { tools: learned } = await lastValueFrom(
      learnTools(deps, { ...offer, revisions: ['2025-11-25'] }, tools.slice(0, 1)),
    );
    expect(learned).toEqual([{ name: 'echo', arguments: {}, isSlow: true }]);
  });
});

describe('missingOf', () => {
  const known: Known = { capabilities: { tools: {} }, kind: 'process', tools: [], prompts: [], hasServers: false };

  it('names the first need that is not there', () => {
    expect(missingOf(['process', 'tools'], known)).toBeUndefined();
    expect(missingOf(['tools', 'prompts', 'http'], known)).toBe('the server declares no prompts');
    expect(missingOf(['task'], known)).toBe('no --tool is named whose call becomes a task');
  });

  it('knows a server whose lists and resources never change, which need not let anybody listen', () => {
    const having = (capabilities: Known['capabilities']) => missingOf(['changing'], { ...known, capabilities });
    expect(having({ tools: { listChanged: false }, resources: { subscribe: false } })).toBe(
      'the server declares nothing that changes',
    );
    expect(having({ tools: { listChanged: true } })).toBeUndefined();
    expect(having({ resources: { subscribe: true } })).toBeUndefined();
  });

  it('knows the need of each case', () => {
    expect(CASES.flatMap(({ needs = [] }) => needs).map((need) => typeof missingOf([need], known))).not.toContain(
      'number',
    );
  });

  it('finds the tool of a need', () => {
    const learned = [
      { name: 'ask', arguments: {}, isSlow: false, asks: 'roots/list' },
      { name: 'echo', arguments: {}, isSlow: false },
    ];
    expect(toolFor(['tools', 'tool'], learned)?.name).toBe('echo');
    expect(toolFor(['askingTool'], learned)?.name).toBe('ask');
    expect(toolFor(['tools'], learned)).toBeUndefined();
  });
});
