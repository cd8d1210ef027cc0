/** Owns a child that hands back each line it gets: how long a line takes, how much goes through. */
import { spawn } from 'node:child_process';
import { nowMs } from './processes.mjs';

const PATIENCE_MS = 60_000;

/** Starts a command whose stderr nobody reads. `ended` resolves to its exit code; `fails` when it does not end in time. */
export const startPipe = ([program, ...args]) => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {}); // a child that is gone shows in `ended`
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
    setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${program} ${args.join(' ')} took more than ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS).unref();
  });
  return { child, ended };
};

/** Lines of `size` bytes there and back, one at a time; gives the time of each in ms. */
export const echoTimes = async (command, { count, size }) => {
  const { child, ended } = startPipe(command);
  const line = `${'x'.repeat(size - 1)}\n`;
  const times = [];
  let [sentAt, missing] = [0, 0];
  const ask = () => {
    [sentAt, missing] = [nowMs(), size];
    child.stdin.write(line);
  };
  child.stdout.on('data', (chunk) => {
    missing -= chunk.length;
    if (missing > 0) return;
    times.push(nowMs() - sentAt);
    if (times.length < count) ask();
    else child.stdin.end();
  });
  ask();
  await ended;
  return times;
};

/** Sends each line once a line has come back for the one before; gives the time of each in ms. */
export const answerTimes = async (command, lines) => {
  const { child, ended } = startPipe(command);
  const times = [];
  let sentAt = 0;
  const ask = () => {
    sentAt = nowMs();
    child.stdin.write(`${lines[times.length]}\n`);
  };
  child.stdout.on('data', (chunk) => {
    if (chunk.at(-1) !== 10) return;
    times.push(nowMs() - sentAt);
    if (times.length < lines.length) ask();
    else child.stdin.end();
  });
  ask();
  const code = await ended;
  if (code !== 0 || times.length !== lines.length) {
    throw new Error(`${times.length} of ${lines.length} answers came, exit code ${code}`);
  }
  return times;
};

/** So many bytes in lines of `size` through the command, as fast as it takes them; gives MB/s from the first byte back. */
export const throughput = async (command, { bytes, size }) => {
  const { child, ended } = startPipe(command);
  const block = `${'x'.repeat(size - 1)}\n`.repeat(Math.ceil(65_536 / size));
  let [back, firstAt, lastAt] = [0, 0, 0];
  child.stdout.on('data', (chunk) => {
    lastAt = nowMs();
    firstAt ||= lastAt;
    back += chunk.length;
  });
  const blocks = Math.ceil(bytes / block.length);
  for (let sent = 0; sent < blocks; sent += 1) {
    if (!child.stdin.write(block)) await new Promise((go) => child.stdin.once('drain', go));
  }
  child.stdin.end();
  await ended;
  if (back !== blocks * block.length) throw new Error(`${back} of ${blocks * block.length} bytes came back`);
  return back / 1e6 / ((lastAt - firstAt) / 1000);
};
