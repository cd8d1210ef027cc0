import { doubtOf, NEWEST, releaseOf, TRIED_RELEASES } from '../../src/agent/triedReleases';

describe('the releases of Codex that were tried', () => {
  it.each([
    ['codex-rx/0.171.0 (Debian 12.0.0; x86_64) unknown (codex-rx; 0.1.0)', '0.171.0'],
    ['codex_cli_rs/0.142.0-alpha.1', '0.142.0'],
    ['codex', ''],
    ['', ''],
    [`${'a/'.repeat(100_000)}1.2.3`, ''],
  ])('reads the release of %.80s', (userAgent, release) => expect(releaseOf(userAgent)).toBe(release));

  it.each([
    ['0.142.0', ''],
    [NEWEST, ''],
    ['0.150.3', ''],
    ['', ''],
    ['0.99.10', ', and older than 0.142.0, the oldest release that was tried'],
    ['99.0.1', `, and newer than ${NEWEST}, the newest release that was tried`],
  ])('doubts release %s by: %j', (release, doubt) => expect(doubtOf(release)).toBe(doubt));

  it('are named where a Codex does not work', () =>
    expect(TRIED_RELEASES).toBe(`0.142.0 to ${NEWEST} are known to work`));
});
