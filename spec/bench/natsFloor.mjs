/**
 * The floor of an executor behind NATS: the least a Node process does that runs one program and stores its output in a stream, each message acknowledged
 * before the next. It checks, limits, numbers and resumes nothing. A limit, not an implementation.
 * Arguments: the address of the server, and which of `LINKS` to speak by.
 */
import { spawn } from 'node:child_process';
import { asking, LINKS } from './natsLinks.mjs';

const [address, kind] = process.argv.slice(2);
const MESSAGE_BYTES = 524_288;
const NOTHING = Buffer.alloc(0);

const link = await LINKS[kind](address);
const store = asking(link, 'floor.stored');
let child;

/** Stores one message at a time; what comes meanwhile is the next one, and the program waits when that is full. */
const storeAll = (output) => {
  let parts = [];
  let bytes = 0;
  let isStoring = false;
  const next = async () => {
    if (isStoring || bytes === 0) return;
    const data = parts.length === 1 ? parts[0] : Buffer.concat(parts, bytes);
    [parts, bytes, isStoring] = [[], 0, true];
    output.resume();
    await store('bench.floor', data);
    isStoring = false;
    next();
  };
  output.on('data', (chunk) => {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes >= MESSAGE_BYTES) output.pause();
    next();
  });
};

link.subscribe('floor.start', (data, reply) => {
  const [program, ...args] = JSON.parse(Buffer.from(data).toString());
  child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  storeAll(child.stdout);
  link.publish(reply, NOTHING);
});
link.subscribe('floor.write', (data, reply) => {
  child.stdin.write(data);
  link.publish(reply, NOTHING);
});
await link.ready();
process.stdout.write('up\n');
