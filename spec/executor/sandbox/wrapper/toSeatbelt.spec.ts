import * as fc from 'fast-check';
import type { Sandbox } from '../../../../src/executor/sandbox/sandbox';
import { toProfile } from '../../../../src/executor/sandbox/wrapper/wrapForSandbox';

const closed: Sandbox = { writable: [], readOnly: [], hidden: [], network: 'closed' };

/** How often a sign stands in a text up to a place. */
const countOf = (text: string, at: number, sign: string): number => text.slice(0, at + 1).split(sign).length - 1;

/** What the profile has beside what every profile has. */
const ownRules = (sandbox: Sandbox): string => toProfile(sandbox).slice(toProfile(closed).length).trim();

describe('toProfile', () => {
  it('denies all but reading and what every program needs', () => {
    expect(toProfile(closed).split(/\n(?=\()/)).toEqual([
      '(version 1)',
      '(deny default)',
      '(allow process-exec process-fork)',
      '(allow signal process-info* (target same-sandbox))',
      '(allow sysctl-read)',
      '(allow pseudo-tty)',
      '(allow ipc-posix-sem)',
      expect.stringMatching(/^\(allow mach-lookup(?:\n {2}\(global-name "com\.apple\.[\w.]+"\)){3}\)$/),
      '(allow file-read* file-test-existence)',
      '(allow file-ioctl (regex #"^/dev/tty"))',
      expect.stringMatching(
        /^\(allow file-write-data file-ioctl\n {2}(?:\((?:literal|regex) #?"\^?\/dev\/[^"]+"\) ?){5}\)$/,
      ),
    ]);
  });

  it('has rules in an order in which what is denied comes after what is allowed', () => {
    const all: Sandbox = {
      writable: ['/w'],
      readOnly: ['/w/.git'],
      network: 'open',
      hidden: [{ path: '/h', kind: 'folder' }],
    };
    expect(ownRules(all).match(/^\((?:allow|deny) [\w*-]+/gm)).toEqual([
      ...[
        '(allow file-write*',
        '(deny file-write*',
        '(deny file-write-setugid',
        '(deny file-write-unlink',
        '(deny file-read*',
      ],
      ...['(allow network-outbound', '(allow network-outbound', '(allow system-socket', '(allow mach-lookup'],
    ]);
  });

  it('is one text of balanced parentheses outside of strings, whatever a path has', () => {
    const path = fc.string().map((name) => `/${name}`);
    fc.assert(
      fc.property(path, (name) => {
        const profile = toProfile({ ...closed, writable: [name], readOnly: [`${name}/x`] });
        const bare = profile.replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, '');
        const depths = [...bare].map((_, at) => countOf(bare, at, '(') - countOf(bare, at, ')'));
        expect([Math.min(...depths), depths.at(-1), bare.includes('"')]).toEqual([0, 0, false]);
      }),
      { numRuns: 30 },
    );
  });

  it('allows writing in roots, then denies it in what is kept, there or not; and lets neither be moved', () => {
    expect(ownRules({ ...closed, writable: ['/w', '/t'], readOnly: ['/w/a/.git'] })).toBe(`(allow file-write*
  (subpath "/w")
  (subpath "/t"))
(deny file-write*
  (subpath "/w/a/.git"))
(deny file-write-setugid
  (subpath "/w")
  (subpath "/t"))
(deny file-write-unlink
  (literal "/w")
  (literal "/t")
  (literal "/w/a/.git")
  (literal "/w/a"))`);
  });

  it('hides files and folders, from writing too', () => {
    const hidden = [
      { path: '/h/.netrc', kind: 'file' as const },
      { path: '/h/.ssh', kind: 'folder' as const },
    ];
    expect(ownRules({ ...closed, hidden })).toBe(`(deny file-write*
  (literal "/h/.netrc")
  (subpath "/h/.ssh"))
(deny file-read* file-test-existence
  (literal "/h/.netrc")
  (subpath "/h/.ssh"))`);
  });

  it('opens the network for IP, and no Unix socket but that of names', () => {
    const rules = ownRules({ ...closed, network: 'open' });
    expect(rules).toMatch(
      /^\(allow network-outbound network-inbound network-bind \(remote ip "\*:\*"\) \(local ip "\*:\*"\)\)/,
    );
    expect(rules.match(/literal "[^"]*"/g)).toEqual(['literal "/private/var/run/mDNSResponder"']);
  });

  it('writes paths as strings of its language', () => {
    expect(ownRules({ ...closed, writable: ['/w"x\\y) (allow default'] })).toContain(
      '(subpath "/w\\"x\\\\y) (allow default")',
    );
  });
});
