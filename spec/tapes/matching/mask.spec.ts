import { ALL_MASKS, TIME_SOURCE, toMask, uuidsOf } from '../../../src/tapes/matching/mask';

const mask = toMask(ALL_MASKS);

describe('toMask', () => {
  it.each([
    ['an ISO time', 'at 2026-11-22T16:46:05.123Z.', 'at <time>.'],
    ['an ISO time in the name of a file', 'log_2026-11-22-16-46-05.txt', 'log_<time>.txt'],
    ['an ISO time with dashes', 'log 2026-11-22-16-46-05', 'log <time>'],
    ['an ISO time of JavaScript in the name of a file', 'a-2026-11-22T16-46-05-123Z.txt', 'a-<time>.txt'],
    ['an ISO time with slashes', '2026/11/22 16:46:05', '<time>'],
    ['a date of another locale', 'on 22.11.2026, 16:46:05', 'on <time>'],
    ['ms since 1970', 'page-1763800000000.png', 'page-<time>.png'],
    ['seconds since 1970', 'at 1795448455.026, 1795448459.9949', 'at <time>, <time>'],
    ['a UUID', 'no 0f8fad5b-d9cb-469f-a165-70867728950e', 'no <uuid>'],
    ['a UUID of version 4 without dashes', 'bad f3cd880fd8774e2da2060aabcdbc3d92', 'bad <uuid>'],
    ['a duration of several units', 'in 1h 2m 12.5 s, 3 min 4s', 'in <duration>, <duration>'],
    ['a date of HTTP', 'Sun, 22 Nov 2026 16:46:05 GMT', '<time>'],
    ['a date of JavaScript', 'Sun Nov 22 2026 16:46:05 GMT+0000 (Coordinated Universal Time)', '<time>'],
    ['a date of a locale', 'on 11/22/2026, 4:46:05 PM', 'on <time>'],
    ['a clock', '[16:46:05] ready', '[<time>] ready'],
    ['a duration', 'took 12ms, then 1.5 s', 'took <duration>, then <duration>'],
    ['a folder for temporary files', 'in /tmp/a1/b, "/var/folders/x/y/T/z/b"', 'in <tmp>/b, "<tmp>/b"'],
    ['a folder of one run in it', '/tmp/out/1763800000000/0a1b2c3d.png/report', '<tmp>/report'],
    ['its URL', 'file:///tmp/a1', 'file://<tmp>'],
    ['a home folder', 'cwd=/home/ann/x', 'cwd=<home>/x'],
    ['a process id', 'started with PID 4711', 'started with <pid>'],
    ['a process id in JSON within a text', 'Info: {"pid": 4711, "ppid":1}', 'Info: {"pid": <pid>, "ppid":<pid>}'],
    [
      'memory in JSON within a text',
      'Info: {"rss": "136.5 MB", "heapUsed":4711470}',
      'Info: {"rss": <memory>, "heapUsed":<memory>}',
    ],
    ['the mark of a process among variables', 'A=1\nCODEX_RX_PROCESS=17-8f-1.\nB=2', 'A=1\nB=2'],
    ['a port', 'on http://localhost:8080/x', 'on http://localhost:<port>/x'],
  ])('hides %s', (_, text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  it.each([
    ['a folder within another', '/srv/app/tmp/report'],
    ['a folder of a URL', 'https://example.org/tmp/report'],
    ['a number', '12 files, version 1.5'],
    ['a size', '12 MB'],
    ['an amount', 'pays 1795448455.25 and 2795448455.0261438'],
    ['a sum of MD5', '9e107d9d372bb6826bd81d3542a419d6'],
    ['a date', '2026-11-22'],
    ['a long number', 'no 9763800000000, 17638000000001, 1763800000'],
    ['hours alone', '2h, 3 m'],
  ])('keeps %s', (_, text) => {
    expect(mask(text)).toBe(text);
  });

  it.each([
    [{ ttlMs: 5, poll_interval_ms: 5 }],
    [{ created: true, updated: 3, createdAt: 'never', expires: [1] }],
    [{ port: { of: 'x' } }],
    [{ external: true, rss: 'https://example.org/feed', heapUsed: 3 }],
    [{ text: 'at /tmp', path: '/var/folders/x' }],
  ])('keeps %j, whatever its name', (value) => {
    expect(mask(value)).toEqual(value);
  });

  it('hides a number that is seconds since 1970, whatever its name', () => {
    expect(mask({ started: 1795448455.0261438, total: 1795448455.25, size: 1795448455 })).toEqual({
      started: '<time>',
      total: 1795448455.25,
      size: 1795448455,
    });
    const times = toMask({ names: ['uuid'], own: [] });
    expect(times({ started: 1795448455.0261438 })).toEqual({ started: 1795448455.0261438 });
  });

  it('hides the memory of a process, and leaves its mark out', () => {
    expect(mask({ rss: 136_550_000, external: '4.3 MB', env: { CODEX_RX_PROCESS: '17-8f-1.', A: '1' } })).toEqual({
      rss: '<memory>',
      external: '<memory>',
      env: { A: '1' },
    });
  });

  it('hides members by their names, and what a pattern of the user matches', () => {
    const own = toMask({ names: ['pid', 'time'], own: [/v\d+/g] });
    expect(
      own({ pid: 1, createdAt: 2, updated: 1_763_800_000, durationMs: 3, text: 'v12', none: { pid: null } }),
    ).toEqual({
      pid: '<pid>',
      createdAt: '<time>',
      updated: '<time>',
      durationMs: 3,
      text: '<masked>',
      none: { pid: null },
    });
  });
});

describe('uuidsOf', () => {
  it('finds each in its order, and none where there is none', () => {
    const [a, b] = ['01234567-89ab-4def-8123-456789abcdef', 'fedcba98-7654-4210-9edc-ba9876543210'];
    expect(uuidsOf(`${b} or ${a}, ${b}`)).toEqual([b, a, b]);
    expect(uuidsOf('none')).toEqual([]);
  });
});

describe('TIME_SOURCE', () => {
  it.each([
    '2026-11-22T16:46:05.123Z',
    '2026/11/22 16:46:05',
    'Sun, 22 Nov 2026 16:46:05 GMT',
    'Sun Nov 22 2026 16:46:05 GMT+0000 (Coordinated Universal Time)',
    '11/22/2026, 4:46:05 PM',
    '1763800000000',
    '16:46:05',
  ])('matches the whole of %s', (text) => {
    expect(`at ${text}, then`.match(new RegExp(TIME_SOURCE))?.[0]).toBe(text);
  });

  it.each(['2026-11-22', '9763800000000', '1:2:3', '12:30'])('does not match %s', (text) => {
    expect(new RegExp(TIME_SOURCE).test(text)).toBe(false);
  });
});
