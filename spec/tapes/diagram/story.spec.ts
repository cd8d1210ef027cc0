import { noColours } from '../../../src/io/terminal/paint';
import { linkCalls, type StoryPart, storyCollector } from '../../../src/tapes/diagram/storyParts';
import { toStory } from '../../../src/tapes/diagram/toStory';
import { toTerminal } from '../../../src/tapes/drawing/toTerminal';
import type { TapeItem } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

type Line = [t: number, dir: string, message: object | string];

const call = (id: number, name: string, args?: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const done = (id: number) => ({ id, result: {} });
const began = (tool: string, args?: object, server = 's') => ({
  method: 'codex/event',
  params: { msg: { type: 'mcp_tool_call_begin', invocation: { server, tool, arguments: args } } },
});

const part = (name: string, startMs: number, ...lines: Line[]): StoryPart => ({
  name,
  role: name === 'agent' ? 'agent' : 'server',
  tape: `${name}.jsonl`,
  startMs,
  index: toSessionIndex(sessionFrom(...lines)),
});

/** The agent calls the tool `read` of docs, and an open call of shop goes on. */
const DAY = [
  part('docs', 1_000, [0, 'in', call(1, 'read', { a: 1, b: 2 })], [30, 'out', done(1)]),
  part('agent', 900, [0, 'in', call(1, 'codex')], [90, 'out', began('read', { b: 2, a: 1 })], [200, 'out', done(1)]),
  part('shop', 950, [0, 'in', call(7, 'buy')], [10, 'err', 'hm']),
  part('docs', 1_400, [0, 'in', call(1, 'read')], [5, 'out', done(1)]),
];

describe('toStory', () => {
  const story = toStory(DAY);

  it('puts all sessions on one time line, lanes by server, the agent first', () => {
    expect(story.lanes.map(({ title }) => title)).toEqual([
      'agent calls',
      'agent answers',
      'agent more',
      'shop calls',
      'shop more',
      'docs calls',
      'docs answers',
    ]);
    expect(story.marbles.map(({ atMs, lane, symbol }) => `${atMs} ${story.lanes[lane]?.title} ${symbol}`)).toEqual([
      '0 agent calls c',
      '50 shop calls b',
      '60 shop more >',
      '90 agent more M',
      '100 docs calls r',
      '130 docs answers R',
      '200 agent answers C',
      '500 docs calls r',
      '505 docs answers R',
    ]);
  });

  it('draws in a terminal that a call waits on the lane of its own server', () => {
    const two = toStory([
      part('a', 0, [0, 'in', call(1, 'x')], [1, 'out', done(1)]),
      part('b', 10, [0, 'in', call(1, 'y')], [1, 'err', 'hm'], [2, 'out', done(1)]),
    ]);
    const lines = toTerminal(two, { paint: noColours, width: 80, axis: 'ordinal' });
    expect(lines.slice(0, lines.indexOf(''))).toEqual([
      'a >      a----|',
      'a <      -A---|',
      'b >      --y--|',
      'b <      ---=Y|',
      'b .      --->-|',
    ]);
  });

  it('keeps the lines in the order of their marbles, and where they are on their tapes', () => {
    expect(story.marbles.map(({ first }) => first)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(story.story?.tape.map((tape, at) => `${story.story?.tapes[tape]}:${story.story?.number[at]}`)).toEqual([
      'agent.jsonl:1',
      'shop.jsonl:1',
      'shop.jsonl:2',
      'agent.jsonl:2',
      'docs.jsonl:1',
      'docs.jsonl:2',
      'agent.jsonl:3',
      'docs.jsonl:1',
      'docs.jsonl:2',
    ]);
    expect(story.entries.map(({ entry }) => entry.t)).toEqual([0, 50, 60, 90, 100, 130, 200, 500, 505]);
  });

  it('links the call of the agent with the tape of its server, and ends open calls with their session', () => {
    expect(story.story?.links).toEqual([[3, 4]]);
    expect(story.spans.map(({ from, to, outcome }) => [from, to, outcome])).toEqual([
      [0, 6, 'answered'],
      [1, 2, 'open'],
      [4, 5, 'answered'],
      [7, 8, 'answered'],
    ]);
  });

  it('has the facts of the whole', () => {
    expect(Object.fromEntries(story.facts)).toEqual({
      servers: 'docs, agent, shop',
      sessions: '4',
      started: '1970-01-01 00:00 UTC',
      lasted: '505 ms',
      calls: '4',
      failed: '0',
      links: '1',
    });
  });

  it('keeps short names of servers apart', () => {
    const names = ['acme/documents-one', 'acme/documents-two'];
    const { lanes } = toStory(names.map((name) => part(name, 0, [0, 'in', call(1, 'x')])));
    expect(new Set(lanes.map(({ key }) => key)).size).toBe(2);
  });
});

describe('linkCalls', () => {
  const links = (...parts: StoryPart[]) =>
    linkCalls(parts).map(({ from, to }) => `${from.session}.${from.entry} ${to.session}.${to.entry}`);

  it('takes the nearest call, each once', () => {
    const agent = part('agent', 0, [100, 'out', began('read')], [110, 'out', began('read')]);
    const docs = part(
      'docs',
      0,
      [95, 'in', call(1, 'read')],
      [112, 'in', call(2, 'read', {})],
      [900, 'in', call(3, 'read')],
    );
    expect(links(agent, docs)).toEqual(['0.0 1.0', '0.1 1.1']);
  });

  it('takes no call with other arguments, of another tool, of its own session, or at another time', () => {
    const agent = part('agent', 0, [0, 'in', call(9, 'read')], [1, 'out', began('read')]);
    const docs = part(
      'docs',
      0,
      [2, 'in', call(1, 'read', { a: 1 })],
      [3, 'in', call(2, 'write')],
      [70_000, 'in', call(3, 'read')],
    );
    expect(links(agent, docs)).toEqual([]);
  });

  it('knows the names of tools in rollouts and in the events of an installed Codex', () => {
    const rollout = part('agent', 0, [0, 'out', began('docs__read', {}, 'codex')]);
    const item = { method: 'item/started', params: { item: { type: 'mcpToolCall', tool: 'read', arguments: {} } } };
    const codex = part('codex', 0, [1, 'out', item]);
    expect(links(rollout, codex, part('docs', 0, [2, 'in', call(1, 'read')]))).toEqual(['0.0 2.0', '1.0 2.0']);
  });

  it('knows the updates of agents of ACP', () => {
    const update = (own: object) => ({
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'tool_call', toolCallId: 't', ...own } },
    });
    const named = { _meta: { claudeCode: { toolName: 'mcp__my_docs__read' } } };
    const agents = [
      part('a', 0, [0, 'out', update({ title: 'x', rawInput: { server: 'docs', tool: 'read', arguments: { a: 1 } } })]),
      part(
        'b',
        0,
        [0, 'out', update({ ...named, rawInput: {} })],
        [1, 'out', update({ ...named, rawInput: { a: 1 } })],
      ),
      part('c', 0, [0, 'out', update({ title: 'docs.read', rawInput: { a: 1 } })]),
      part(
        'd',
        0,
        [0, 'out', update({ title: 'docs.read' })],
        [1, 'out', update({ title: 'read', rawInput: { a: 1 } })],
      ),
    ];
    expect(links(...agents, part('docs', 0, [2, 'in', call(1, 'read', { a: 1 })]))).toEqual([
      '0.0 4.0',
      '2.0 4.0',
      '1.1 4.0',
    ]);
  });
});

describe('storyCollector', () => {
  const meta = (started: string, more = {}): TapeItem => ({ kind: 'meta', lineNumber: 1, meta: { started, ...more } });
  const entry = (t: number, line = 'x', seam?: string): TapeItem => ({
    kind: 'entry',
    lineNumber: t + 2,
    entry: { t, dir: 'in', line, ...(seam && { seam }) },
  });
  const collect = (bounds: object, ...items: TapeItem[]) => {
    const all = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY, maxLines: 100, maxChars: 1_000 };
    const collector = storyCollector({ ...all, ...bounds });
    items.forEach(collector.open('a.jsonl'));
    const { parts, ...rest } = collector.end();
    return { ...rest, parts: parts.map(({ name, role, index }) => `${role} ${name} ${index.entries.length}`) };
  };
  const DATE = '1970-01-01T00:00:01.000Z';

  it('takes what lies within the time', () => {
    const items = [meta(DATE, { command: ['/bin/docs', 'x'] }), entry(0), entry(5), entry(9)];
    expect(collect({ fromMs: 1_005 }, ...items)).toEqual({ parts: ['server docs 2'], left: 0, undated: 0 });
    expect(collect({ untilMs: 1_005 }, ...items).parts).toEqual(['server docs 1']);
    expect(collect({ fromMs: 2_000 }, ...items).parts).toEqual([]);
  });

  it('is bounded, and counts what is left', () => {
    const items = [meta(DATE), entry(0), entry(1), entry(2, 'long')];
    expect(collect({ maxLines: 1 }, ...items)).toMatchObject({ left: 2 });
    expect(collect({ maxChars: 3 }, ...items)).toMatchObject({ left: 1, parts: ['server server 2'] });
  });

  it('names sessions, and knows agents', () => {
    expect(collect({}, meta(DATE, { thread: '0199aaaa-bbbb' }), entry(0)).parts).toEqual(['agent agent 0199aaaa 1']);
    expect(collect({}, meta(DATE, { server: { name: 'docs' } }), entry(0)).parts).toEqual(['server docs 1']);
    expect(collect({}, meta(DATE, { protocol: 'ACP 1' }), entry(0)).parts).toEqual(['agent server 1']);
    expect(collect({}, meta(DATE), entry(0, 'x', 'model'), entry(1, 'x', 'chance')).parts).toEqual(['agent server 1']);
  });

  it('counts sessions without a date', () => {
    expect(collect({}, meta('yesterday'), entry(0))).toEqual({ parts: [], left: 0, undated: 1 });
  });
});
