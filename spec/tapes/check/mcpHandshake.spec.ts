import { ask, found, notify, revision, type Sent } from './mcpSession';

describe('what a side did not declare', () => {
  const tools = { tools: { listChanged: true } };

  it.each<[string, Sent[], object, object]>([
    ['tools.listChanged', [notify('out', 'notifications/tools/list_changed')], { tools: {} }, tools],
    ['logging', [notify('out', 'notifications/message', { level: 'info', data: 1 })], {}, { logging: {} }],
    [
      'resources.subscribe',
      ask('resources/subscribe', { uri: 'a:b' }, {}),
      { resources: {} },
      { resources: { subscribe: true } },
    ],
    ['completions', ask('completion/complete', {}, { completion: { values: [] } }), {}, { completions: {} }],
  ])('is %s', (feature, sent, without, declared) => {
    expect(found(sent, without)).toEqual([`3 the server did not declare ${feature}`]);
    expect(found(sent, declared)).toEqual([]);
  });

  it('is a feature of the client', () => {
    const changed = [notify('in', 'notifications/roots/list_changed')];
    expect(found(changed, {}, { roots: {} })).toEqual(['3 the client did not declare roots.listChanged']);
    expect(found(changed, {}, { roots: { listChanged: true } })).toEqual([]);
  });
});

describe('the handshake', () => {
  it('comes once', () => {
    const again = ask('initialize', revision, {
      ...revision,
      capabilities: {},
      serverInfo: { name: 'x', version: '1' },
    });
    expect(found(again)).toEqual(['3 the session was initialized before']);
  });
});
