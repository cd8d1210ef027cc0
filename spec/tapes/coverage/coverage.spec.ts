import fc from 'fast-check';
import { type Coverage, coverageTally, describeCoverage } from '../../../src/tapes/coverage/coverage';
import { offersOf } from '../../../src/tapes/offers/offers';
import { readParts } from '../../../src/tapes/session/readParts';
import { sessionFrom } from '../../support/tapes';

type Exchange = readonly [method: string, params: object, body: object];

const lists: Exchange[] = [
  [
    'tools/list',
    {},
    {
      result: {
        tools: [
          {
            name: 'search',
            inputSchema: {
              properties: { text: {}, mode: { enum: ['fast', 'deep'] } },
              required: ['text'],
            },
            outputSchema: { properties: { hits: { items: { properties: { line: {} } } } }, required: ['hits'] },
          },
          { name: 'delete' },
        ],
      },
    },
  ],
  [
    'prompts/list',
    {},
    { result: { prompts: [{ name: 'review', arguments: [{ name: 'code', required: true }, {}] }] } },
  ],
  ['resources/list', {}, { result: { resources: [{ uri: 'a:1' }, { uri: 'b:1' }] } }],
  [
    'resources/templates/list',
    {},
    { result: { resourceTemplates: [{ uriTemplate: 'b:{id}' }, { uriTemplate: 'c:{x}/d/{y}' }] } },
  ],
];

const calls: Exchange[] = [
  [
    'tools/call',
    { name: 'search', arguments: { text: 'a', mode: 'fast' } },
    { result: { structuredContent: { hits: [{ line: 1 }] } } },
  ],
  ['tools/call', { name: 'search', arguments: { text: 'b' } }, { result: { isError: true } }],
  ['tools/call', { name: 'constructor' }, { error: { code: -32602, message: 'unknown' } }],
  ['prompts/get', { name: 'review', arguments: { code: 'x' } }, { result: {} }],
  ['resources/read', { uri: 'a:1' }, { result: {} }],
  ['resources/read', { uri: 'c:1/d/2' }, { result: {} }],
  ['resources/read', { uri: 'b:9' }, { error: { code: -32002, message: 'none' } }],
];

const session = (exchanges: readonly Exchange[]) =>
  sessionFrom(
    ...exchanges.flatMap(([method, params, body], id): [number, string, object][] => [
      [2 * id, 'in', { id, method, params }],
      [2 * id + 1, 'out', { id, ...body }],
    ]),
  );

/** What sessions touch, read in parts of at most so many entries. */
const coverageOf = (sessions: readonly (readonly Exchange[])[], entries = 100, baseline?: object) => {
  const tally = coverageTally();
  for (const exchanges of sessions) {
    const parts = readParts({}, tally.session(), { entries, chars: 1e6 });
    for (const entry of session(exchanges).entries) parts.add(entry);
    parts.end();
  }
  return tally.end(baseline && offersOf(baseline));
};

const groupsOf = (coverage: Coverage | undefined) =>
  Object.fromEntries(
    (coverage?.groups ?? []).map(({ name, covered, total, missing }) => [name, [covered, total, ...missing]]),
  );

describe('coverageTally', () => {
  it('finds what no session touches', () => {
    const coverage = coverageOf([lists, calls]);
    expect(groupsOf(coverage)).toEqual({
      tools: [1, 2, 'delete'],
      errors: [1, 2, 'delete'],
      arguments: [3, 3],
      values: [1, 2, 'search.mode "deep"'],
      'left out': [1, 1],
      results: [3, 3],
      prompts: [1, 1],
      resources: [1, 1],
      templates: [1, 2, 'b:{id}'],
    });
    expect(coverage).toMatchObject({ percent: 76.4, covered: 13, total: 17, errorCodes: { '-32602': 1, '-32002': 1 } });
  });

  it('counts the same however a tape is cut into parts and sessions', () => {
    const whole = coverageOf([[...lists, ...calls]]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: calls.length }), (entries, at) => {
        expect(coverageOf([[...lists, ...calls.slice(0, at)], calls.slice(at)], entries)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it('takes the result of a task for that of its call, and counts methods of tasks', () => {
    const tool = (name: string, taskSupport?: string) => ({
      name,
      execution: { taskSupport },
      outputSchema: { properties: { n: {} } },
    });
    const tools = [tool('a', 'optional'), tool('b', 'required'), tool('c', 'forbidden'), tool('d')];
    const task = (taskId: string, status: string, own = {}) => ({ result: { taskId, status, ...own } });
    const ofExtension: Exchange[] = [
      ['tools/call', { name: 'a' }, task('1', 'working', { resultType: 'task' })],
      ['tasks/get', { taskId: '1' }, task('1', 'input_required')],
      ['tasks/get', { taskId: '1' }, task('1', 'completed', { result: { structuredContent: { n: 1 } } })],
      ['tools/call', { name: 'a' }, task('2', 'working', { resultType: 'task' })],
      ['tasks/get', { taskId: '2' }, task('2', 'failed')],
    ];
    for (const entries of [1, 100])
      expect(groupsOf(coverageOf([ofExtension], entries, { tools }))).toMatchObject({
        errors: [1, 4, 'b', 'c', 'd'],
        results: [1, 4, 'b.n', 'c.n', 'd.n'],
        tasks: [2, 5, 'b', 'tasks/cancel', 'tasks/update'],
      });
    const ofCore: Exchange[] = [
      ['tools/call', { name: 'b', task: {} }, { result: { task: { taskId: '1', status: 'working' } } }],
      ['tasks/result', { taskId: '1' }, { result: { structuredContent: { n: 1 }, isError: true } }],
    ];
    expect(groupsOf(coverageOf([ofCore], 100, { tools }))).toMatchObject({
      errors: [1, 4, 'a', 'c', 'd'],
      results: [1, 4, 'a.n', 'c.n', 'd.n'],
      tasks: [2, 6, 'a', 'tasks/get', 'tasks/list', 'tasks/cancel'],
    });
  });

  it('counts against other lists, if there are some', () => {
    expect(groupsOf(coverageOf([lists, calls], 100, { tools: [{ name: 'move' }] }))).toEqual({
      tools: [0, 1, 'move'],
      errors: [0, 1, 'move'],
    });
  });

  it('is undefined without a list, and whole if nothing is offered', () => {
    expect(coverageOf([calls])).toBeUndefined();
    expect(coverageOf([[['tools/list', {}, { result: { tools: [] } }]]])).toMatchObject({ percent: 100, total: 0 });
  });

  it('does not count a call without a response as a failure, nor a call of the server', () => {
    const tally = coverageTally();
    const parts = readParts({}, tally.session());
    const lines = sessionFrom(
      [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a' } }],
      [1, 'out', { id: 1, method: 'tools/call', params: { name: 'b' } }],
    );
    for (const entry of lines.entries) parts.add(entry);
    parts.end();
    const tools = [{ name: 'a' }, { name: 'b' }];
    expect(groupsOf(tally.end(offersOf({ tools })))).toEqual({ tools: [1, 2, 'b'], errors: [0, 2, 'a', 'b'] });
  });
});

describe('describeCoverage', () => {
  it('names what is not touched in columns, some of much, without control characters', () => {
    const missing = Array.from({ length: 12 }, (_, i) => `m${i}\u001b`);
    const group = { name: 'tools', covered: 1, total: 13, missing };
    const groups = [group, { name: 'left out', covered: 2, total: 2, missing: [] }];
    expect(describeCoverage({ percent: 20, covered: 3, total: 15, groups, errorCodes: { '-32602': 2 } })).toEqual([
      'COVERAGE: 20 %, 3 of 15',
      `  tools     1 of 13  not ${missing.slice(0, 10).join(', ').replaceAll('\u001b', '\\x1b')} and 2 more`,
      '  left out  2 of 2',
      '  codes of errors: -32602 (2 times)',
    ]);
  });
});
