import { tapes } from '../../../src/cli/commands/tapes';
import { givenBy, problemBy } from '../reading';

describe('tapes', () => {
  it.each([
    [['ls', 'nats://h', '--json'], { action: 'ls', from: 'nats://h', json: true }],
    [['cp', 'a.jsonl', 'b.jsonl'], { action: 'cp', from: 'a.jsonl', to: 'b.jsonl' }],
    [['rm', 'nats://h/nightly'], { action: 'rm', from: 'nats://h/nightly' }],
  ])('accepts %j', (argv, given) => expect(givenBy(tapes, ...argv)).toMatchObject(given));

  it.each([
    [['mv', 'a', 'b'], /^ACTION must be ls, cp, rm or show; it is mv$/],
    [['cp', 'a'], /^cp needs two tapes: from and to$/],
    [['ls', 'nats://h', 'b'], /^ls takes one address$/],
    [['rm', 'nats://h/a', 'nats://h/b'], /^rm takes one address$/],
    [['rm', 'a.jsonl'], /^rm needs the address of a server: nats:\/\/HOST$/],
    [['ls'], /^FROM is missing$/],
  ])('refuses %j', (argv, problem) => expect(problemBy(tapes, ...argv)).toMatch(problem));
});
