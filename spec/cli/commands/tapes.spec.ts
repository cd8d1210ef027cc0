import { tapes } from '../../../src/cli/commands/tapes';
import { givenBy, problemBy } from '../reading';

describe('tapes', () => {
  it.each([
    [['ls', 'nats://h', '--json'], { action: 'ls', from: 'nats://h', json: true }],
    [['cp', 'a.jsonl', 'b.jsonl'], { action: 'cp', from: 'a.jsonl', to: 'b.jsonl' }],
    [['rm', 'nats://h/nightly'], { action: 'rm', from: 'nats://h/nightly' }],
    [['search', 'x', '--since', '7d', '--error'], { from: 'x', since: '7d', error: true, limit: 100 }],
    [['prune', 't/', '--max-size', '2GB', '--keep', '3'], { from: 't/', 'max-size': '2GB', keep: 3, yes: false }],
  ])('accepts %j', (argv, given) => expect(givenBy(tapes, ...argv)).toMatchObject(given));

  it.each([
    [['mv', 'a', 'b'], /^ACTION must be search, prune, show, ls, cp or rm; it is mv$/],
    [['cp', 'a'], /^cp needs FROM and TO: codex-rx tapes cp tape\.jsonl nats:\/\/HOST\/NAME$/],
    [['ls', 'nats://h', 'b'], /^ls takes one address$/],
    [['rm', 'nats://h/a', 'nats://h/b'], /^rm takes one address$/],
    [['rm', 'a.jsonl'], /^rm needs the address of a server: nats:\/\/HOST$/],
    [['ls'], /^ls needs ADDRESS: codex-rx tapes ls nats:\/\/HOST$/],
    [['prune'], /^prune needs FOLDER: codex-rx tapes prune tapes\/ --older-than 30d$/],
    [['search', '--error'], /^search needs TEXT: codex-rx tapes search/],
    [['prune', 't'], /^prune needs a limit: --older-than, --max-count or --max-size$/],
    [['prune', 't', 'u', '--max-count', '1'], /^prune takes one folder$/],
    [['prune', 'nats://h', '--max-count', '1'], /^prune works on a folder; codex-rx tapes rm removes/],
    [['prune', 't', '--older-than', '1y'], /^--older-than 1y cannot be read; write it as in 30d, 12h or 2w$/],
    [['prune', 't', '--max-count', '1', '--error'], /^--error goes with tapes search$/],
    [['search', 'x', '--yes'], /^--yes goes with tapes prune$/],
    [['search', 'x', '--since', 'now'], /^--since now cannot be read; write it as in 7d, 12h or 2026-11-30$/],
  ])('refuses %j', (argv, problem) => expect(problemBy(tapes, ...argv)).toMatch(problem));
});
