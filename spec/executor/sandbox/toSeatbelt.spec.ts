import type { Sandbox } from '../../../src/executor/sandbox/sandbox';
import { toProfile } from '../../../src/executor/sandbox/toSeatbelt';

const closed: Sandbox = { writable: [], readOnly: [], hidden: [], network: 'closed' };

/** What the profile has beside what every profile has. */
const ownRules = (sandbox: Sandbox): string => toProfile(sandbox).slice(toProfile(closed).length).trim();

describe('toProfile', () => {
  it('denies all but reading and what every program needs', () => {
    const profile = toProfile(closed);
    expect(profile.startsWith('(version 1)\n(deny default)\n')).toBe(true);
    expect(profile).toMatch(/\(allow file-read\* file-test-existence\)/);
    expect(profile).toMatch(/\(allow signal process-info\* \(target same-sandbox\)\)/);
    expect(profile).not.toMatch(/network|file-write\*/);
  });

  it('allows writing in roots, then denies it in what is kept, there or not; and lets neither be moved', () => {
    expect(ownRules({ ...closed, writable: ['/w', '/t'], readOnly: ['/w/a/.git'] })).toBe(`(allow file-write*
  (subpath "/w")
  (subpath "/t"))
(deny file-write*
  (subpath "/w/a/.git"))
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
