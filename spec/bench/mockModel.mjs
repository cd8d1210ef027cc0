/** Owns the mock model: an HTTP server in a worker thread, so that it runs beside the client. What it says is mockScenes'. */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { sceneOf } from './mockScenes.mjs';
import { nowMs, sleep } from './processes.mjs';

const serve = () => {
  let seen = [];
  const server = createServer((request, response) => {
    const entry = { at: nowMs(), path: request.url.split('?')[0] };
    seen.push(entry);
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'POST' || !entry.path.endsWith('/responses')) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
        return;
      }
      const { scene, start, bytes } = sceneOf(Buffer.concat(parts).toString());
      entry.scene = scene;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.once('close', () => {
        entry.closedAt = nowMs();
      });
      if (bytes === undefined) response.write(start);
      else response.end(bytes);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', (what) => {
    parentPort.postMessage(seen);
    if (what === 'take') seen = [];
  });
};

/** Starts the mock. `take` gives and forgets the requests seen: { at, path, scene, closedAt }; `find` waits for one. */
export const startMockModel = async () => {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const received = () => new Promise((resolve) => worker.once('message', resolve));
  const port = await received();
  const ask = (what) => {
    const answer = received();
    worker.postMessage(what);
    return answer;
  };
  const find = async (wanted, waitMs) => {
    for (const until = nowMs() + waitMs; nowMs() < until; await sleep(10)) {
      const found = (await ask('look')).find(wanted);
      if (found) return found;
    }
    return undefined;
  };
  return { url: `http://127.0.0.1:${port}/v1`, take: () => ask('take'), find, stop: () => worker.terminate() };
};

if (!isMainThread) serve();
