/**
 * Files without a spec of their own, with the spec that holds each, and why. All are glue: a program's start, or a port in front of a process, a
 * disk or a socket. An operator, a reducer, a parser or a codec does not belong here: it gets a spec beside it.
 */
export const HELD_BY: Readonly<Record<string, string>> = {
  // They write to the streams of the process, exit it, or load an ES module that the runner cannot load: only a process shows what they do.
  'cli/help.ts': 'wire/commandLine.spec.ts',
  'cli/serve/serveProcess.ts': 'wire/commandLine.spec.ts',
  'cli/serve/openRecording.ts': 'wire/record.spec.ts',
  'cli/record/recordHttp.ts': 'wire/http.spec.ts',
  'cli/replay/serveTape.ts': 'wire/replay.spec.ts',
  'cli/replay/verifyTape.ts': 'wire/replay.spec.ts',

  // The options of a command, which the spec of the command reads.
  'cli/replay/options.ts': 'cli/commands/replay.spec.ts',

  // Ports of the package for somebody's tests: they have nothing but a process, or a file, and what lies below them has its own specs.
  'testing/stdio.ts': 'testing/session.spec.ts',
  'testing/tape.ts': 'testing/ownTapes.spec.ts',

  // What two operators of a listener share: a real listener shows it.
  'transport/httpListener.ts': 'transport/listenHttp.spec.ts',

  // Schemas without code, held by what is made of them.
  'config/schemaParts.ts': 'config/configJsonSchema.spec.ts',
  'server/mcp/faces/tools.ts': 'server/mcp/faces/faceOf.spec.ts',

  // A file that is opened, locked and written: on a real disk, and for each thread store alike in its contract.
  'rollout/openThread.ts': 'rollout/fileThreads.spec.ts',

  // A server that is read and written, wired from operators with specs of their own: with a real server, and for each thread store alike.
  'natsThreads/findLog.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'natsThreads/leaseOf.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'natsThreads/natsRecord.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'natsThreads/natsThreads.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'app/engines/openFleetThreads.ts': 'wire/fleetThreads.spec.ts',
  'app/auth/mcpLoginsHere.ts': 'wire/mcpLogin.spec.ts',
  'app/doctor/keptThreads.ts': 'app/doctor/examine.spec.ts',

  // A connection to a real server, its requests, streams and buckets.
  'transport/nats/connectNats.ts': 'contract/nats.spec.ts',
  'transport/nats/natsBuckets.ts': 'contract/nats.spec.ts',
  'transport/nats/natsConsumer.ts': 'contract/nats.spec.ts',
  'transport/nats/natsMessages.ts': 'contract/nats.spec.ts',
  'transport/nats/messageAt.ts': 'contract/nats.spec.ts',
  'transport/nats/natsStreams.ts': 'contract/nats.spec.ts',
  'transport/nats/natsError.ts': 'transport/nats/toNatsError.spec.ts',

  // Tapes on a real server, and what the commands on tapes need of the process.
  'tape/nats/ensureTapes.ts': 'contract/natsTapes.spec.ts',
  'tape/nats/listNatsTapes.ts': 'contract/natsTapes.spec.ts',
  'cli/natsOf.ts': 'wire/natsTapes.spec.ts',
  'cli/tapeDeps.ts': 'wire/natsTapes.spec.ts',
  'cli/commands/tapes.ts': 'wire/natsTapes.spec.ts',

  // The two ends of an executor behind a real server, with which the contract of all backends runs.
  'app/engines/executorsInFleet.ts': 'wire/fleet.spec.ts',
  'executor/nats/natsBackend.ts': 'executor/nats/natsBackend.contract.spec.ts',
  'executor/nats/natsTransport.ts': 'executor/nats/natsBackend.contract.spec.ts',
  'executor/nats/executorService.ts': 'executor/nats/natsBackend.contract.spec.ts',
  'executor/nats/serveExecutor.ts': 'executor/nats/natsBackend.contract.spec.ts',
  'app/exec/lazyNats.ts': 'executor/nats/natsBackend.contract.spec.ts',
  'app/exec/serveNats.ts': 'executor/nats/natsBackend.contract.spec.ts',
  'transport/nats/pullMessages.ts': 'contract/nats.spec.ts',
  'cli/execServer/listenProblem.ts': 'cli/commands/execServer.spec.ts',

  // A socket in a folder: what it is shows in a connection.
  'transport/listenUnix.ts': 'wire/execListener.spec.ts',
};
