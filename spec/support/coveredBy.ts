/**
 * Files without a spec of their own, with the spec that covers each, and why. All are glue: a program's start, or a port in front of a process, a
 * disk or a socket. An operator, a reducer, a parser or a codec does not belong here: it gets a spec beside it.
 */
export const COVERED_BY: Readonly<Record<string, string>> = {
  // Wires journals on the disk to servers in sandboxes, which only a process that is killed shows.
  'executor/sandboxPatches/sandboxPatchesHere.ts': 'wire/exec/execSandbox.spec.ts',
  'executor/sandboxPatches/withSandboxPatches.ts': 'wire/exec/execSandbox.spec.ts',

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
  'io/http/httpErrors.ts': 'io/http/sendRequest.spec.ts',
  'io/http/responseBody.ts': 'io/http/sendRequest.spec.ts',
  'io/http/nodeHttp.ts': 'io/http/httpPost.spec.ts',

  // What two operators of a listener share: a real listener shows it.
  'io/http/httpListener.ts': 'io/http/listenHttp.spec.ts',

  // Schemas without code, covered by what is made of them.
  'settings/schema/schemaParts.ts': 'settings/schema/configJsonSchema.spec.ts',
  'server/faces/tools.ts': 'server/faces/faceOf.spec.ts',

  // A file that is opened, locked and written: on a real disk, and for each thread store alike in its contract.
  'threads/openThread.ts': 'threads/fileThreads.spec.ts',

  // A server that is read and written, wired from operators with specs of their own: with a real server, and for each thread store alike.
  'fleet/threads/findLog.ts': 'fleet/threads/natsThreads.contract.spec.ts',
  'fleet/threads/leaseOf.ts': 'fleet/threads/natsThreads.contract.spec.ts',
  'fleet/threads/natsRecord.ts': 'fleet/threads/natsThreads.contract.spec.ts',
  'fleet/threads/natsThreads.ts': 'fleet/threads/natsThreads.contract.spec.ts',
  'fleet/threads/openFleetThreads.ts': 'wire/nats/fleetThreads.spec.ts',
  'settings/mcpLogins/mcpLoginsHere.ts': 'wire/engines/mcpLogin.spec.ts',

  // A connection to a real server, its requests, streams and buckets.
  'fleet/link/connectNats.ts': 'contract/nats.spec.ts',
  'fleet/link/natsBuckets.ts': 'contract/nats.spec.ts',
  'fleet/link/streams/natsConsumer.ts': 'contract/nats.spec.ts',
  'fleet/link/natsMessages.ts': 'contract/nats.spec.ts',
  'fleet/link/streams/messageAt.ts': 'contract/nats.spec.ts',
  'fleet/link/streams/natsStreams.ts': 'contract/nats.spec.ts',
  'io/nats/natsError.ts': 'fleet/link/toNatsError.spec.ts',

  // Tapes on a real server, and what the commands on tapes need of the process.
  'fleet/tapes/ensureTapes.ts': 'contract/natsTapes.spec.ts',
  'fleet/tapes/listNatsTapes.ts': 'contract/natsTapes.spec.ts',
  'cli/natsOf.ts': 'wire/nats/natsTapes.spec.ts',
  'cli/tapeDeps.ts': 'wire/nats/natsTapes.spec.ts',

  // The two ends of an executor behind a real server, with which the contract of all backends runs.
  'fleet/backend/executorsInFleet.ts': 'wire/nats/fleet.spec.ts',
  'fleet/backend/natsBackend.ts': 'fleet/backend/natsBackend.contract.spec.ts',
  'fleet/backend/natsTransport.ts': 'fleet/backend/natsBackend.contract.spec.ts',
  'fleet/served/executorService.ts': 'fleet/backend/natsBackend.contract.spec.ts',
  'fleet/served/serveExecutor.ts': 'fleet/backend/natsBackend.contract.spec.ts',
  'cli/execServer/lazyNats.ts': 'fleet/backend/natsBackend.contract.spec.ts',
  'fleet/served/serveNats.ts': 'fleet/backend/natsBackend.contract.spec.ts',
  'fleet/link/streams/pullMessages.ts': 'contract/nats.spec.ts',
  'cli/execServer/listenProblem.ts': 'cli/commands/execServer.spec.ts',

  // The wiring of `app`: a port in front of a disk, a process, a socket or a terminal, or what connects rooms that have specs of their own.
  'executor/localPatch/folderAt.ts': 'executor/localPatch/localDisk.spec.ts',
  'executor/localPatch/patchHere.ts': 'contract/patch/kill.spec.ts',
  'executor/localPatch/plainFolder.ts': 'executor/localPatch/localDisk.spec.ts',
  'executor/localPatch/readPatch.ts': 'cli/commands/applyPatch.spec.ts',
  'executor/localPatch/readRegular.ts': 'executor/localPatch/look.spec.ts',
  'executor/localPatch/runApplyPatch.ts': 'executor/localPatch/runApplyPatch.recorded.spec.ts',
  'settings/logins/accountsHere.ts': 'settings/logins/startLogin.spec.ts',
  'settings/logins/listenCallback.ts': 'settings/logins/startLogin.spec.ts',
  'app/codexHost.ts': 'wire/calls/conversations.spec.ts',
  'server/host/runGit.ts': 'server/host/commands.spec.ts',
  'server/host/runOneOff.ts': 'server/host/commands.spec.ts',
  'cli/demo/closing.ts': 'cli/demo/demo.spec.ts',
  'cli/demo/messages.ts': 'cli/demo/demoClient.spec.ts',
  'agent/elsewhere/lookElsewhere.ts': 'agent/elsewhere/lookElsewhere.contract.spec.ts',
  'agent/appServer/appServerTransport.ts': 'wire/engines/appServer.spec.ts',
  'agent/native/configuredToolServers.ts': 'wire/engines/toolServers.spec.ts',
  'app/engines/nativeEngine.ts': 'app/engines/engines.spec.ts',
  'agent/native/nativeTools.ts': 'wire/calls/nativeEscapes.spec.ts',
  'agent/native/notifyHere.ts': 'wire/program/notify.spec.ts',
  'app/openThreads.ts': 'wire/calls/threads.spec.ts',
  'app/engines/openWorkspace.ts': 'wire/exec/environments.spec.ts',
  'agent/wiring/wiring.ts': 'agent/wiring/configureOf.spec.ts',
  'app/withExecutors.ts': 'app/executors.spec.ts',
  'executor/listen/changeHere.ts': 'executor/listen/localFiles.contract.spec.ts',
  'executor/sandboxPatches/filesInside.ts': 'wire/exec/execSandbox.spec.ts',
  'executor/listen/localFiles.ts': 'executor/listen/localFiles.contract.spec.ts',
  'executor/listen/openSessions.ts': 'wire/exec/execServer.spec.ts',
  'executor/listen/serveSockets.ts': 'wire/exec/execListener.spec.ts',
  'executor/listen/serveStdio.ts': 'wire/exec/execServer.spec.ts',
  'executor/listen/serveUnix.ts': 'wire/exec/execListener.spec.ts',
  'executor/listen/terminalPackages.ts': 'wire/tapes/terminals.spec.ts',
  'cli/explain/explainHere.ts': 'cli/explain/toExplanationLines.spec.ts',
  'io/disk/namedHere.ts': 'io/disk/filesHere.spec.ts',
  'io/log/openLogFile.ts': 'io/log/createLog.spec.ts',
  'io/log/openSink.ts': 'io/log/createLog.spec.ts',
  'fleet/link/natsHere.ts': 'wire/nats/natsTapes.spec.ts',
  'cli/rerun/runDaemon.ts': 'wire/tapes/rerun.spec.ts',
  'cli/rerun/startRerun.ts': 'cli/commands/rerun.spec.ts',
  'tapes/seams/tapeHost.ts': 'tapes/seams/recordHost.spec.ts',
  'executor/sandbox/wrapper/tryWrapper.ts': 'executor/sandbox/wrapper/findWrapper.spec.ts',
  'executor/sandbox/openNoFollow.ts': 'executor/sandbox/sandboxFilesHere.spec.ts',
  'app/tapes/checkNew.ts': 'cli/commands/fork.spec.ts',
  'tapes/files/countedTape.ts': 'wire/tapes/record.spec.ts',
  'app/tapes/natsTapes.ts': 'contract/natsTapes.spec.ts',
  'tapes/sessions/openSteps.ts': 'wire/tapes/replay.spec.ts',
  'app/tapes/openTapeFile.ts': 'tapes/files/openTape.spec.ts',
  'app/tapes/rewriteTape.ts': 'cli/commands/redact.spec.ts',
  'cli/tapes/startChecking.ts': 'cli/commands/check.spec.ts',
  'cli/tapes/startDrawing.ts': 'cli/commands/diagram.spec.ts',
  'cli/tapes/startForking.ts': 'cli/commands/fork.spec.ts',
  'cli/tapes/startRecording.ts': 'wire/tapes/record.spec.ts',
  'cli/tapes/startRecordingHttp.ts': 'wire/tapes/http.spec.ts',
  'cli/tapes/startServing.ts': 'wire/tapes/replay.spec.ts',
  'cli/tapes/startServingHttp.ts': 'wire/tapes/http.spec.ts',
  'cli/tapes/startShrinking.ts': 'cli/commands/shrink.spec.ts',
  'cli/tapes/startVerifying.ts': 'wire/tapes/replay.spec.ts',
  'tapes/sessions/verifySession.ts': 'wire/tapes/replay.spec.ts',
  'app/tapes/writeNew.ts': 'cli/commands/import.spec.ts',
  'executor/listen/serveLines.ts': 'wire/exec/execServer.spec.ts',
  'cli/tapes/startImporting.ts': 'cli/commands/import.spec.ts',
  'cli/tapes/startRedacting.ts': 'cli/commands/redact.spec.ts',
};
