import { toToolName } from '../../../src/agent/modelHttp/callNames';

describe('toToolName', () => {
  it.each([
    ['shell', 'shell'],
    ['files__read-all', 'files__read-all'],
    [' shell\n', 'shell'],
    ['functions.shell', 'shell'],
    ['shell<|channel|>commentary', 'shell'],
    ['web.run', 'web_run'],
  ])('reads %j as %j', (name, known) => {
    expect(toToolName(name)).toBe(known);
  });
});
