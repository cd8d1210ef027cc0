/** A receiver of OTLP over HTTP that keeps traces and answers for them: that of Genkit. Arguments: its folder of packages, a folder for traces, a port. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [packages, storeRoot, port] = process.argv.slice(2);
const { LocalFileLogStore, LocalFileTraceStore, startTelemetryServer } = createRequire(join(packages, 'package.json'))(
  '@genkit-ai/telemetry-server',
);
const options = { storeRoot, indexRoot: storeRoot };
await startTelemetryServer({
  port: Number(port),
  traceStore: new LocalFileTraceStore(options),
  logStore: new LocalFileLogStore(options),
});
