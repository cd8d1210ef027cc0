import { join } from 'node:path';
import fc from 'fast-check';
import { compare, isUntouched } from '../../../src/tapes/diff/compare';
import { isNewId } from '../../../src/tapes/diff/isNewId';
import type { Lane, LanePair } from '../../../src/tapes/diff/lanes';
import type { Comparer } from '../../../src/tapes/diff/toComparer';
import type { Handles } from '../../../src/tapes/handles/handles';
import { MASKS, type Masks } from '../../../src/tapes/matching/mask';
import type { ServerLine, SessionIndex } from '../../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { indexOf, sessionFrom } from '../../support/tapes';

const all: Masks = { names: MASKS, own: [] };
const tape = (name: string): SessionIndex => indexOf(join(__dirname, '../../fixtures/tapes', name));

const event = (id: unknown, msg: object) => ({ method: 'codex/event', params: { _meta: { requestId: id }, msg } });
const delta = (text: string) => ({ type: 'agent_message_delta', delta: text });
/** One call with id `id` that brings these events about. */
const called = (id: unknown, ...msgs: object[]): SessionIndex =>
  toSessionIndex(
    sessionFrom(
      [0, 'in', { id, method: 'tools/call', params: { name: 'a' } }],
      ...msgs.map((msg, i): [number, string, object] => [i, 'out', event(id, msg)]),
      [99, 'out', { id, result: 'ok' }],
    ),
  );
const differing = (a: SessionIndex, b: SessionIndex, masks = all) =>
  compare(a, b, masks).filter(({ difference }) => difference !== undefined);

describe('compare', () => {
  it.each<[string, object, object]>([
    ['a UUID', { a: 'x 0a1b2c3d-0000-4000-8000-000000000001' }, { a: 'x ffffffff-0000-4000-8000-000000000009' }],
    ['a time', { a: 'at 2025-01-01T00:00:00.000Z' }, { a: 'at 2026-11-20T12:30:01Z' }],
    [
      'when a rollout began',
      { p: 'x/sessions/2026/11/20/rollout-2026-11-20T23-59-59-a.jsonl' },
      { p: 'x/sessions/2026/11/21/rollout-2026-11-21T00-00-00-a.jsonl' },
    ],
    ['a time by name', { created_at: 7 }, { created_at: 8 }],
    ['a duration', { duration: { secs: 0, nanos: 7 } }, { duration: { secs: 1, nanos: 8 } }],
    ['a folder for a while', { cwd: '/tmp/abc/work' }, { cwd: '/tmp/xyz/work' }],
    ['a home', { cwd: '/home/ann/x' }, { cwd: '/Users/bob/x' }],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('lets %s differ', (_, before, now) => {
    expect(differing(called(1, before), called('other', now))).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['a text', { a: 'x' }, { a: 'y' }],
    ['a number', { exit_code: 0 }, { exit_code: 1 }],
    ['what is missing', { a: 1, b: 2 }, { a: 1 }],
    ['a type', { a: 1 }, { a: '1' }],
    ['a file in a folder for a while', { a: '/tmp/abc/work/report' }, { a: '/tmp/abc/work/WRONG' }],
    ['a time to live', { ttlMs: 0 }, { ttlMs: 60_000 }],
    ['a flag named as a time', { created: true }, { created: false }],
  ])('finds %s that differs', (_, before, now) => {
    expect(differing(called(1, before), called(1, now))).toMatchObject([
      { label: 'tools/call a', difference: { at: 0 } },
    ]);
  });

  it('finds a limit that differs in a description', () => {
    const listed = (text: string) =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'tools/list' }],
          [1, 'out', { id: 1, result: { tools: [{ description: `${text}, since 2026-11-22T16:46:05Z` }] } }],
        ),
      );
    expect(differing(listed('up to 30 s'), listed('up to 60 s'))).toHaveLength(1);
    expect(differing(listed('up to 30 s'), listed('up to 30 s'))).toHaveLength(0);
  });

  it('compares what is unmasked, and lets differ what a pattern of its own fits', () => {
    const [before, now] = [called(1, { a: 'port 8080', duration: 1 }), called(1, { a: 'port 9090', duration: 2 })];
    expect(differing(before, now, { names: MASKS, own: [/port \d+/g] })).toEqual([]);
    expect(differing(before, now, { names: ['uuid'], own: [/port \d+/g] })).toMatchObject([
      { difference: { values: [{ path: 'message.params.msg.duration', recorded: 1, now: 2 }] } },
    ]);
  });

  it('passes over whether the end of input was recorded', () => {
    const lines: [number, string, object][] = [
      [0, 'in', { id: 1, method: 'ping' }],
      [1, 'out', { id: 1, result: {} }],
    ];
    const cut = toSessionIndex(sessionFrom(...lines));
    const whole = toSessionIndex(sessionFrom(...lines, [2, 'note', 'standard input closed']));
    expect(differing(cut, whole)).toEqual([]);
    expect(differing(whole, cut)).toEqual([]);
  });

  it('compares an exit with code 0, unless the client sent a signal', () => {
    const ended = (line: string, ...notes: string[]) =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'a' }],
          ...notes.map((note): [number, string, string] => [1, 'note', note]),
          [2, 'exit', line],
        ),
      );
    const [well, badly] = ['{"code":0,"sig":null}', '{"code":null,"sig":"SIGTERM"}'];
    expect(differing(ended(well), ended(badly))).toMatchObject([
      { difference: { reason: 'recorded exit code 0, now ended by SIGTERM' } },
    ]);
    expect(differing(ended(well, 'signal SIGTERM'), ended(badly, 'signal SIGTERM'))).toEqual([]);
  });

  it('leaves progress out unless it is unmasked', () => {
    const withProgress = (...steps: number[]): SessionIndex =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 'p' } } }],
          ...steps.map((progress): [number, string, object] => [
            progress,
            'out',
            { method: 'notifications/progress', params: { progressToken: 'p', progress } },
          ]),
          [99, 'out', { id: 1, result: 'ok' }],
        ),
      );
    expect(differing(withProgress(1, 2, 3), withProgress(2))).toEqual([]);
    const unmasked = { names: MASKS.filter((name) => name !== 'progress'), own: [] };
    expect(differing(withProgress(1, 2, 3), withProgress(1), unmasked)).toMatchObject([
      { label: 'tools/call a', difference: { at: 1 } },
    ]);
  });

  it('compares of progress its request, that it rises, its total and the kind of its message', () => {
    const reported = (...reports: object[]): SessionIndex =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 'p' } } }],
          ...reports.map((params): [number, string, object] => [
            1,
            'out',
            { method: 'notifications/progress', params },
          ]),
          [99, 'out', { id: 1, result: 'ok' }],
        ),
      );
    const report = (progress: unknown, rest: object = {}) => ({ progressToken: 'p', progress, total: 3, ...rest });
    const right = reported(report(1, { message: 'one' }), report(2, { message: 'two' }));
    expect(differing(right, reported(report(2.5, { message: 'half' })))).toEqual([]);
    expect(differing(right, reported())).toEqual([]);
    expect(differing(reported(), right)).toEqual([]);
    const wrong = [
      [report('half', { message: 'one' })],
      [report(2, { message: 'one' }), report(1, { message: 'two' })],
      [report(1, { message: 'one', total: -7 })],
      [report(1)],
      [{ progress: 1, total: 3, message: 'one' }],
      [report(1, { message: 'one', progressToken: 'q' })],
      [{}],
    ];
    for (const reports of wrong) expect(differing(right, reported(...reports))).toHaveLength(1);
  });

  it('joins deltas, as where a text is cut is chance; the text must be the same', () => {
    const whole = called(1, delta('hello world'));
    expect(differing(whole, called(1, delta('hel'), delta('lo '), delta('world')))).toEqual([]);
    expect(differing(whole, called(1, delta('hel'), delta('lo')))).toHaveLength(1);
  });

  it('joins pieces of bytes, across the border of a character too', () => {
    const piece = (bytes: Buffer) => ({
      type: 'exec_command_output_delta',
      call_id: 'c',
      chunk: bytes.toString('base64'),
    });
    const bytes = Buffer.from('naïve\n');
    const cut = called(1, piece(bytes.subarray(0, 3)), piece(bytes.subarray(3)));
    expect(differing(called(1, piece(bytes)), cut)).toEqual([]);
  });

  it('does not compare the order between calls', () => {
    const calls = (...order: number[]) =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a' } }],
          [0, 'in', { id: 2, method: 'tools/call', params: { name: 'b' } }],
          ...order.map((id): [number, string, object] => [1, 'out', { id, result: id }]),
        ),
      );
    expect(differing(calls(1, 2), calls(2, 1))).toEqual([]);
  });

  it('compares handles by where they were issued', () => {
    const session = (issued: string, used: string) =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'open' }],
          [1, 'out', { id: 1, result: { text: `opened ${issued}` } }],
          [2, 'in', { id: 2, method: 'use', params: { session: issued } }],
          [3, 'out', { id: 2, result: { text: `used ${used}` } }],
        ),
      );
    const recorded = session('sess_1a2b3c', 'sess_1a2b3c');
    expect(differing(recorded, session('sess_9z9z9z', 'sess_9z9z9z'))).toEqual([]);
    expect(differing(recorded, session('sess_9z9z9z', 'sess_1a2b3c'))).toMatchObject([{ label: 'use' }]);
    const unmasked = { names: MASKS.filter((name) => name !== 'handle'), own: [] };
    expect(differing(recorded, session('sess_9z9z9z', 'sess_9z9z9z'), unmasked)).toHaveLength(2);
  });

  it('knows a hex handle again that has no letter by chance', () => {
    const session = (value: string) =>
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'open' }],
          [1, 'out', { id: 1, result: { text: `Opened ${value}.`, value } }],
          [2, 'in', { id: 2, method: 'use', params: { of: value } }],
          [3, 'out', { id: 2, result: { text: `${value} is hex` } }],
        ),
      );
    expect(differing(session('67ac0fa7'), session('42420644'))).toEqual([]);
  });

  it('finds what only one side has', () => {
    const results = differing(tape('exec-approval-approved.jsonl'), tape('exec-approval-denied.jsonl'));
    expect(results.map(({ label, difference }) => [label, difference?.reason])).toEqual([
      ['tools/call codex', undefined],
      ['the response to 0', 'the client did not get to send this now'],
      ['the response to 0', 'the client sends this only now'],
    ]);
  });

  describe('if ids are generated again', () => {
    const [A, B] = ['9f86d081884c7d65', 'a3f5c0b11e7d942c'];

    it.each<[string, object, object]>([
      ['a member', { requestId: A, x: 1 }, { requestId: B, x: 1 }],
      ['a word of a text', { text: `Opened session ${A}.` }, { text: `Opened session ${B}.` }],
      ['JSON in a text', { text: `{"id":"${A}"}` }, { text: `{"id":"${B}"}` }],
      ['a ULID', { a: '01KAQ3M9Z5T6B7C8D9E0F1G2H3' }, { a: '01KAR7XWV8N4P2Q6R3S5T7J9K1' }],
      ['what its beginning names', { a: 'sess_9fK2mQ8xT1' }, { a: 'sess_Lw7Bz04RcY' }],
      ['a number', { id: 483920117 }, { id: 917364052 }],
    ])('lets %s differ, unless it is unmasked', (_, before, now) => {
      expect(differing(called(1, before), called(1, now))).toEqual([]);
      const unmasked = { names: MASKS.filter((name) => name !== 'id'), own: [] };
      expect(differing(called(1, before), called(1, now), unmasked)).toHaveLength(1);
    });

    it('finds one that differs in a description', () => {
      const listed = (id: string) =>
        toSessionIndex(
          sessionFrom([0, 'in', { id: 1, method: 'tools/list' }], [1, 'out', { id: 1, result: { tools: [{ id }] } }]),
        );
      expect(differing(listed(A), listed(B))).toHaveLength(1);
    });

    it('shows what else differs, with the ids bound', () => {
      const [result] = differing(called(1, { id: A, x: 1 }), called(1, { id: B, x: 2 }));
      expect(result?.difference?.values).toEqual([{ path: 'message.params.msg.x', recorded: 1, now: 2 }]);
    });

    const hex = fc.stringMatching(/^[\da-f]{16}$/);
    const id = hex.filter((text) => /\d/.test(text) && /[a-f]/.test(text) && new Set(text).size > 6);
    const word = fc.constantFrom(
      '',
      'a',
      'ready',
      'v1.2.3',
      '/srv/app/report',
      '17',
      '2.5 MB',
      'd41d8cd98f00b204e9800998ecf8427e',
    );
    const msg = (of: fc.Arbitrary<number>) =>
      fc.record({
        requestId: of,
        about: of,
        text: word,
        count: fc.nat({ max: 99 }),
        path: word,
        version: word,
        hash: word,
      });
    /** Events that name some of four ids, `x` for a name and a text about it. */
    const events = fc.array(msg(fc.nat({ max: 3 })), { minLength: 1, maxLength: 5 });
    type Event = Parameters<Parameters<typeof events.map>[0]>[0][number];
    const session = (all: readonly Event[], ids: readonly string[]) =>
      called(
        1,
        ...all.map(({ requestId, about, ...rest }) => ({
          ...rest,
          requestId: ids[requestId],
          about: `about session ${ids[about]}, and no more`,
        })),
      );
    const distinct = fc.uniqueArray(id, { minLength: 8, maxLength: 8 });

    it('lets all of them differ where each stands for one', () => {
      fc.assert(
        fc.property(events, distinct, (all, ids) => {
          fc.pre(ids.slice(0, 4).every((one, i) => isNewId(one, ids[i + 4] as string, 'id')));
          expect(differing(session(all, ids.slice(0, 4)), session(all, ids.slice(4)))).toEqual([]);
        }),
      );
    });

    it('finds each other change: of a word, a number, a path, a version, a count or a hash', () => {
      const changes = fc.record(
        { text: word, count: fc.nat({ max: 99 }), path: word, version: word, hash: word },
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(events, distinct, changes, fc.nat({ max: 4 }), (all, ids, change, at) => {
          const [before, i] = [session(all, ids.slice(0, 4)), at % all.length];
          const changed = all.map((one, n) => (n === i ? { ...one, ...change } : one));
          const isSame = Object.entries(change).every(([name, value]) => all[i]?.[name as keyof Event] === value);
          fc.pre(!isSame);
          expect(differing(before, session(changed, ids.slice(4)))).toHaveLength(1);
        }),
      );
    });

    it('finds an id in the place of another', () => {
      fc.assert(
        fc.property(events, distinct, fc.nat({ max: 4 }), fc.integer({ min: 1, max: 3 }), (all, ids, at, by) => {
          const i = at % all.length;
          const swapped = all.map((one, n) => (n === i ? { ...one, requestId: (one.requestId + by) % 4 } : one));
          const count = (some: readonly Event[], which: number) =>
            some.flatMap(({ requestId, about }) => [requestId, about]).filter((one) => one === which).length;
          const [was, is] = [all[i]?.requestId ?? 0, swapped[i]?.requestId ?? 0];
          fc.pre(count(all, was) > 1 || count(all, is) > 0); // otherwise it is only another name
          expect(differing(session(all, ids.slice(0, 4)), session(swapped, ids.slice(4)))).toHaveLength(1);
          expect(differing(session(all, ids.slice(0, 4)), session(swapped, ids.slice(0, 4)))).toHaveLength(1);
        }),
      );
    });
  });
});

const lane = (...lines: string[]): Lane => ({
  label: '',
  lineNumber: 1,
  lines: lines.map((line) => ({ line }) as ServerLine),
});

const pair = (recorded: string[], now: string[]): LanePair => ({ recorded: lane(...recorded), now: lane(...now) });

const comparer = (origins: Record<string, string>): Comparer => {
  const handles: Handles = new Map(Object.entries(origins).map(([key, origin], id) => [key, { id, origin }]));
  return { handles: () => handles, linesOf: () => [], keyOf: () => '' };
};

const other = pair(['x'], ['y']);

const check = (one: LanePair, before = {}, after = {}) =>
  isUntouched([one, other], [comparer(before), comparer(after)])(one);

describe('isUntouched', () => {
  it.each<[string, LanePair, boolean]>([
    ['the same lines', pair(['a', 'b'], ['a', 'b']), true],
    ['no lines', pair([], []), true],
    ['another line', pair(['a', 'b'], ['a', 'c']), false],
    ['a line more', pair(['a'], ['a', 'b']), false],
    ['a lane that stands alone', { recorded: lane() }, false],
  ])('of %s', (_, one, expected) => {
    expect(check(one)).toBe(expected);
  });

  it.each<[string, object, object, boolean]>([
    ['issued at the same place', { t1: '0.0' }, { t1: '0.0' }, true],
    ['issued elsewhere', { t1: '0.0' }, { t1: '1.0' }, false],
    ['that only one session has', { '= t1': '0.0' }, {}, false],
    ['that the lines do not have', { t2: '0.0' }, {}, true],
  ])('looks for a handle %s', (_, before, after, expected) => {
    expect(check(pair(['a t1'], ['a t1']), before, after)).toBe(expected);
  });

  it('looks for fifty handles at most', () => {
    const handles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`h${i}`, '0']));
    expect([50, 51].map((count) => check(pair(['a'], ['a']), handles(count)))).toEqual([true, false]);
  });

  it('looks for no handle where all pairs are the same', () => {
    const handles = jest.fn(() => new Map());
    const comparers = { ...comparer({}), handles };
    const one = pair(['a'], ['a']);
    expect(isUntouched([one], [comparers, comparers])(one)).toBe(true);
    expect(handles).not.toHaveBeenCalled();
  });
});

/** A session in which the client sends these requests. */
const sent = (...requests: object[]) =>
  toSessionIndex(sessionFrom(...requests.map((one, id): [number, string, object] => [id, 'in', { id, ...one }])));

const hello = (name: string) => ({ method: 'initialize', params: { clientInfo: { name } } });

const differences = (recorded: object[], now: object[]) =>
  compare(sent(...recorded), sent(...now), { names: MASKS, own: [] }).flatMap(({ label, difference }) =>
    difference ? [[label, difference.reason, ...difference.values]] : [],
  );

describe('joinChanged', () => {
  it('reports a client with another name as one difference', () => {
    expect(differences([hello('a')], [hello('b')])).toEqual([
      [
        'initialize',
        'the client sends this differently now',
        expect.objectContaining({ path: 'message.params.clientInfo.name' }),
      ],
    ]);
  });

  it('joins the n-th with the n-th, and leaves what stands alone', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(hello) as [object, object, object];
    expect(differences([a, b], [c]).map(([, reason]) => reason)).toEqual([
      'the client sends this differently now',
      'the client did not get to send this now',
    ]);
    expect(differences([a], [{ method: 'ping' }]).map(([, reason]) => reason)).toEqual([
      'the client did not get to send this now',
      'the client sends this only now',
    ]);
  });
});
