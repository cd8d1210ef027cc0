// A small language server and debug adapter: its messages have headers that name their length, as those of the client.
const send = (message) => {
  const body = JSON.stringify(message);
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
  process.stdout.write(body);
};
let sent = 0;

const answerLanguage = ({ id, method, params }) => {
  if (method === 'initialize') {
    setInterval(() => process.kill(params.processId, 0), 100); // ends with its client
    send({ jsonrpc: '2.0', method: 'window/logMessage', params: { message: 'grüße' } });
    send({ jsonrpc: '2.0', id, result: { capabilities: { hoverProvider: true } } });
  } else if (method === 'shutdown') send({ jsonrpc: '2.0', id, result: null });
  else if (method === 'exit') process.exit(0);
  else if (id !== undefined) setTimeout(() => send({ jsonrpc: '2.0', id, result: { said: params.text } }), 300);
};

const answerDebugger = ({ seq, command }) => {
  send({ seq: ++sent, type: 'response', request_seq: seq, success: command !== 'fail', command, body: { command } });
  if (command === 'initialize') send({ seq: ++sent, type: 'event', event: 'initialized' });
  if (command === 'disconnect') process.exit(0);
};

let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  while (true) {
    const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString('latin1', 0, 100)) ?? [];
    if (head === undefined || rest.length < head.length + Number(length)) return;
    const message = JSON.parse(rest.subarray(head.length, head.length + Number(length)));
    rest = rest.subarray(head.length + Number(length));
    (message.jsonrpc ? answerLanguage : answerDebugger)(message);
  }
});
