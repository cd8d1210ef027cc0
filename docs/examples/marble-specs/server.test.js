// Small letters are the client, capitals the server. A column says what comes before what; no clock is used.
import { test } from 'node:test';
import { anything, answer, notification, refusal, request, session, stdio } from 'codex-rx/testing';

const server = stdio([process.execPath, 'server.js']);

/** @param {string} name @param {object} args @param {object} [meta] */
const call = (name, args, meta) => request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
/** @param {string} text */
const text = (text) => ({ content: [{ type: 'text', text }] });

const values = {
  i: request('initialize', { protocolVersion: '2025-06-18', capabilities: { elicitation: {} } }),
  I: answer('i', { protocolVersion: '2025-06-18', capabilities: anything, serverInfo: anything }),
  n: notification('notifications/initialized'),

  a: call('add', { text: 'Buy milk' }),
  A: answer('a', {
    ...text('Noted as <uuid 1>.'),
    structuredContent: { id: '<uuid 1>', text: 'Buy milk', createdAt: '<time>' },
  }),

  d: call('delete', { id: '<uuid 1>' }),
  Q: request('elicitation/create', { message: 'Delete "Buy milk"?', requestedSchema: anything }),
  y: answer('Q', { action: 'accept' }),
  o: answer('Q', { action: 'decline' }),
  D: answer('d', text('Deleted.')),
  K: answer('d', text('Kept.')),
  X: refusal('d', -32602, 'There is no note <uuid 1>'),

  s: call('export', { ms: 40 }, { progressToken: 'slow' }),
  f: call('export', { ms: 1 }, { progressToken: 'fast' }),
  P: notification('notifications/progress', { progressToken: 'slow', progress: anything, total: 2 }),
  R: notification('notifications/progress', { progressToken: 'fast', progress: anything, total: 2 }),
  S: answer('s', text('0 notes.')),
  F: answer('f', text('0 notes.')),
};

test('deletes a note when the person agrees, once', () =>
  session(server).plays({
    client: 'i-n-a---d---y---d---|',
    server: '-I----A---Q---D---X-|',
    values,
  }));

test('keeps a note when the person does not agree', () =>
  session(server).plays({
    client: 'i-n-a---d---o---|',
    server: '-I----A---Q---K-|',
    values,
  }));

test('exports twice at a time; which is faster is not said', () =>
  session(server).plays({
    client: '  i-n-sf---------|',
    server: ['-I-----P-P-S---|',
             '-------R-R--F--|'],
    values,
  }));
