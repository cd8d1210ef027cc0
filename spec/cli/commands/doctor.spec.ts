import { doctor } from '../../../src/cli/commands/doctor';
import { givenBy, problemBy } from '../reading';

describe('doctor', () => {
  it('examines what the daemon needs, in text, unless it is asked otherwise', () => {
    expect(givenBy(doctor)).toMatchObject({ role: 'daemon', config: [], nats: [] });
    const argv = [
      '--role',
      'executor',
      '--json',
      '--without-mcp',
      '--nats',
      'nats://a',
      '--nats',
      'nats://b',
      '-c',
      'a=1',
    ];
    expect(givenBy(doctor, ...argv)).toMatchObject({
      role: 'executor',
      json: true,
      'without-mcp': true,
      nats: ['nats://a', 'nats://b'],
      config: ['a=1'],
    });
    expect(givenBy(doctor, '-m', 'gpt-5', '-p', 'fast')).toMatchObject({ model: 'gpt-5', profile: 'fast' });
    expect(givenBy(doctor, '--role', 'watcher', '--codex', '/opt/codex').codex).toBe('/opt/codex');
  });

  it.each([
    [['--role', 'nurse'], /role/],
    [['now'], /now/],
    [['--codex'], /codex/],
  ])('refuses %j', (argv, problem) => expect(problemBy(doctor, ...argv)).toMatch(problem));
});
