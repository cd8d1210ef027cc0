/**
 * Files without a spec of their own, with the spec that covers each, and why. All are glue: a program's start, or a port in front of a process, a
 * disk or a socket. An operator, a reducer, a parser or a codec does not belong here: it gets a spec beside it.
 */
export const COVERED_BY: Readonly<Record<string, string>> = {
  // Wires journals on the disk to servers in sandboxes, which only a process that is killed shows.
  'app/exec/sandbox/sandboxPatchesHere.ts': 'wire/exec/execSandbox.spec.ts',
  'app/exec/sandbox/withSandboxPatches.ts': 'wire/exec/execSandbox.spec.ts',

  // They write to the streams of the process, exit it, or load an ES module that the runner cannot load: only a process shows what they do.
  'cli/help.ts': 'wire/program/commandLine.spec.ts',
  'cli/serve/serveProcess.ts': 'wire/program/commandLine.spec.ts',
  'cli/serve/openRecording.ts': 'wire/tapes/record.spec.ts',
  'cli/record/recordHttp.ts': 'wire/tapes/http.spec.ts',
  'cli/replay/serveTape.ts': 'wire/tapes/replay.spec.ts',
  'cli/replay/verifyTape.ts': 'wire/tapes/replay.spec.ts',

  // The options of a command, which the spec of the command reads.
  'cli/replay/options.ts': 'cli/commands/replay.spec.ts',

  // Ports of the package for somebody's tests: they have nothing but a process, or a file, and what lies below them has its own specs.
  'testing/stdio.ts': 'testing/session.spec.ts',
  'testing/tape.ts': 'testing/ownTapes.spec.ts',

  // The parts of a request on a connection, each in front of a socket: with real servers and proxies.
  'transport/http/httpErrors.ts': 'transport/http/sendRequest.spec.ts',
  'transport/http/responseBody.ts': 'transport/http/sendRequest.spec.ts',
  'transport/http/nodeHttp.ts': 'transport/http/httpPost.spec.ts',

  // What two operators of a listener share: a real listener shows it.
  'transport/http/httpListener.ts': 'transport/http/listenHttp.spec.ts',

  // Schemas without code, covered by what is made of them.
  'config/schemaParts.ts': 'config/configJsonSchema.spec.ts',
  'server/mcp/faces/tools.ts': 'server/mcp/faces/faceOf.spec.ts',

  // A file that is opened, locked and written: on a real disk, and for each thread store alike in its contract.
  'rollout/openThread.ts': 'rollout/fileThreads.spec.ts',

  // A server that is read and written, wired from operators with specs of their own: with a real server, and for each thread store alike.
  'natsThreads/findLog.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'natsThreads/leaseOf.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'natsThreads/natsRecord.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'natsThreads/natsThreads.ts': 'natsThreads/natsThreads.contract.spec.ts',
  'app/threads/openFleetThreads.ts': 'wire/nats/fleetThreads.spec.ts',
  'app/mcpLogins/mcpLoginsHere.ts': 'wire/engines/mcpLogin.spec.ts',

  // A connection to a real server, its requests, streams and buckets.
  'transport/nats/connectNats.ts': 'contract/nats.spec.ts',
  'transport/nats/natsBuckets.ts': 'contract/nats.spec.ts',
  'transport/nats/streams/natsConsumer.ts': 'contract/nats.spec.ts',
  'transport/nats/natsMessages.ts': 'contract/nats.spec.ts',
  'transport/nats/streams/messageAt.ts': 'contract/nats.spec.ts',
  'transport/nats/streams/natsStreams.ts': 'contract/nats.spec.ts',
  'transport/nats/natsError.ts': 'transport/nats/toNatsError.spec.ts',

  // Tapes on a real server, and what the commands on tapes need of the process.
  'tape/nats/ensureTapes.ts': 'contract/natsTapes.spec.ts',
  'tape/nats/listNatsTapes.ts': 'contract/natsTapes.spec.ts',
  'cli/natsOf.ts': 'wire/nats/natsTapes.spec.ts',
  'cli/tapeDeps.ts': 'wire/nats/natsTapes.spec.ts',

  // The two ends of an executor behind a real server, with which the contract of all backends runs.
  'app/executors/executorsInFleet.ts': 'wire/nats/fleet.spec.ts',
  'executor/nats/client/natsBackend.ts': 'executor/nats/client/natsBackend.contract.spec.ts',
  'executor/nats/client/natsTransport.ts': 'executor/nats/client/natsBackend.contract.spec.ts',
  'executor/nats/server/executorService.ts': 'executor/nats/client/natsBackend.contract.spec.ts',
  'executor/nats/server/serveExecutor.ts': 'executor/nats/client/natsBackend.contract.spec.ts',
  'app/exec/lazyNats.ts': 'executor/nats/client/natsBackend.contract.spec.ts',
  'app/exec/serveNats.ts': 'executor/nats/client/natsBackend.contract.spec.ts',
  'transport/nats/streams/pullMessages.ts': 'contract/nats.spec.ts',
  'cli/execServer/listenProblem.ts': 'cli/commands/execServer.spec.ts',

  // The wiring of `app`: a port in front of a disk, a process, a socket or a terminal, or what connects rooms that have specs of their own.
  'app/applyPatch/folderAt.ts': 'app/applyPatch/localDisk.spec.ts',
  'app/applyPatch/patchHere.ts': 'contract/patch/kill.spec.ts',
  'app/applyPatch/plainFolder.ts': 'app/applyPatch/localDisk.spec.ts',
  'app/applyPatch/readPatch.ts': 'cli/commands/applyPatch.spec.ts',
  'app/applyPatch/readRegular.ts': 'app/applyPatch/look.spec.ts',
  'app/applyPatch/runApplyPatch.ts': 'app/applyPatch/runApplyPatch.recorded.spec.ts',
  'app/auth/accountsHere.ts': 'app/auth/startLogin.spec.ts',
  'app/auth/listenCallback.ts': 'app/auth/startLogin.spec.ts',
  'app/codex/codexHost.ts': 'wire/calls/conversations.spec.ts',
  'app/codex/runGit.ts': 'app/codex/commands.spec.ts',
  'app/codex/runOneOff.ts': 'app/codex/commands.spec.ts',
  'app/demo/closing.ts': 'app/demo/demo.spec.ts',
  'app/demo/messages.ts': 'app/demo/demoClient.spec.ts',
  'app/elsewhere/lookElsewhere.ts': 'app/elsewhere/lookElsewhere.contract.spec.ts',
  'app/engines/appServer/appServerTransport.ts': 'wire/engines/appServer.spec.ts',
  'app/engines/native/configuredToolServers.ts': 'wire/engines/toolServers.spec.ts',
  'app/engines/native/nativeEngine.ts': 'app/engines/engines.spec.ts',
  'app/engines/native/nativeTools.ts': 'wire/calls/nativeEscapes.spec.ts',
  'app/engines/native/notifyHere.ts': 'wire/program/notify.spec.ts',
  'app/threads/openThreads.ts': 'wire/calls/threads.spec.ts',
  'app/engines/native/openWorkspace.ts': 'wire/exec/environments.spec.ts',
  'app/wiring/wiring.ts': 'app/wiring/configureOf.spec.ts',
  'app/executors/withExecutors.ts': 'app/executors/executors.spec.ts',
  'app/exec/changeHere.ts': 'app/exec/localFiles.contract.spec.ts',
  'app/exec/sandbox/filesInside.ts': 'wire/exec/execSandbox.spec.ts',
  'app/exec/localFiles.ts': 'app/exec/localFiles.contract.spec.ts',
  'app/exec/openSessions.ts': 'wire/exec/execServer.spec.ts',
  'app/exec/serveSockets.ts': 'wire/exec/execListener.spec.ts',
  'app/exec/serveStdio.ts': 'wire/exec/execServer.spec.ts',
  'app/exec/serveUnix.ts': 'wire/exec/execListener.spec.ts',
  'app/exec/terminalPackages.ts': 'wire/tapes/terminals.spec.ts',
  'app/explain/explainHere.ts': 'app/explain/toExplanationLines.spec.ts',
  'app/files/namedHere.ts': 'app/files/filesHere.spec.ts',
  'app/log/openLogFile.ts': 'app/log/createLog.spec.ts',
  'app/log/openSink.ts': 'app/log/createLog.spec.ts',
  'app/nats/natsHere.ts': 'wire/nats/natsTapes.spec.ts',
  'app/rerun/runDaemon.ts': 'wire/tapes/rerun.spec.ts',
  'app/rerun/startRerun.ts': 'cli/commands/rerun.spec.ts',
  'app/rerun/tapeHost.ts': 'app/recordHost.spec.ts',
  'executor/sandbox/wrapper/tryWrapper.ts': 'executor/sandbox/wrapper/findWrapper.spec.ts',
  'app/sandbox/openNoFollow.ts': 'app/sandbox/sandboxFiles.spec.ts',
  'app/tape/files/checkNew.ts': 'cli/commands/fork.spec.ts',
  'app/tape/files/countedTape.ts': 'wire/tapes/record.spec.ts',
  'app/tape/files/natsTapes.ts': 'contract/natsTapes.spec.ts',
  'app/tape/sessions/openSteps.ts': 'wire/tapes/replay.spec.ts',
  'app/tape/files/openTapeFile.ts': 'app/tape/files/openTape.spec.ts',
  'app/tape/files/rewriteTape.ts': 'cli/commands/redact.spec.ts',
  'app/tape/startChecking.ts': 'cli/commands/check.spec.ts',
  'app/tape/startDrawing.ts': 'cli/commands/diagram.spec.ts',
  'app/tape/startForking.ts': 'cli/commands/fork.spec.ts',
  'app/tape/startRecording.ts': 'wire/tapes/record.spec.ts',
  'app/tape/startRecordingHttp.ts': 'wire/tapes/http.spec.ts',
  'app/tape/startServing.ts': 'wire/tapes/replay.spec.ts',
  'app/tape/startServingHttp.ts': 'wire/tapes/http.spec.ts',
  'app/tape/startShrinking.ts': 'cli/commands/shrink.spec.ts',
  'app/tape/startVerifying.ts': 'wire/tapes/replay.spec.ts',
  'app/tape/sessions/verifySession.ts': 'wire/tapes/replay.spec.ts',
  'app/tape/files/writeNew.ts': 'cli/commands/import.spec.ts',
  'app/exec/serveLines.ts': 'wire/exec/execServer.spec.ts',
  'app/tape/startImporting.ts': 'cli/commands/import.spec.ts',
  'app/tape/startRedacting.ts': 'cli/commands/redact.spec.ts',
};
