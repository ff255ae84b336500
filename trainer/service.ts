/**
 * The service process of a window: discovery, the list of runs, reading of events and traces, appending of preferences.
 * JSON-RPC over stdio.
 * It loads no tensors, and runs files of the user's only in tool hosts, for the schemas of tools that they define, and
 * only where the window says that their folder is trusted; so it also works in Restricted Mode. It starts an MCP server
 * only when the window asks for its tools, which it does once the user has allowed that server. It ends with the
 * window.
 */
import { resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import {
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { z } from 'zod';
import { boundedReader } from './app/boundedReader';
import { DiscoveryThread, workInThread } from './app/discoveryThread';
import { foundModels } from './model/weights/foundModels';
import { namedServers } from './protocol/mcp';
import { ServiceMethods, type Params, type Reply } from './protocol/serviceMethods';
import { UserError } from './protocol/result';
import type { ToolSchema } from './protocol/task';
import { putRunAside, restoreRun, writeLabel } from './store/runs/label';
import { listRuns } from './store/runs/listRuns';
import { exportPreferences, importPreferences } from './store/exchange/preferences';
import { openPairs, pairOfTraces } from './store/preferences/openPairs';
import { preferenceState, recordPreferences } from './store/preferences/store';
import {
  readEvents,
  readTaskSplits,
  readTools,
  readTrace,
  readTraceAt,
  requireManifest,
  trainedTasks,
} from './store/runs/readRun';
import { readTraceFile } from './store/runs/readTraceFile';
import { graphOf } from './store/toolGraph/graphOf';
import { runTraces } from './store/toolGraph/runTraces';
import { addTask, taskFileFor } from './tasks/addTask';
import { keepRequest, notTrainedOn, ownRequests } from './tasks/ownRequests';
import { serversNamed } from './tools/sources/mcp/config';
import { configuredServers } from './tools/sources/mcp/configured';
import { takeLessons } from './tasks/flywheel/flywheel';
import { versionsOf } from './app/playground/versions';

type Methods = typeof ServiceMethods;
type Handlers = {
  [N in keyof Methods]: (params: Params<Methods[N]>) => Reply<Methods[N]> | Promise<Reply<Methods[N]>>;
};

/** Workspace, tool file and tools of a run, which lies in WORKSPACE/.coach/runs/ID. */
const requestsOf = (dir: string): [string, string, ToolSchema[]] => [
  resolve(dir, '..', '..', '..'),
  requireManifest(dir, { readOnly: true }).config.toolFile,
  readTools(dir),
];

/** Answers requests on a connection; `discover` is passed in, since it lives in a thread. */
function serve(connection: MessageConnection, discover: Handlers['discover']): void {
  const handlers: Handlers = {
    discover,
    foundModels: () => foundModels(),
    listRuns: ({ workspace }) => listRuns(workspace),
    labelRun: ({ dir, label }) => {
      writeLabel(dir, label);
      return {};
    },
    putRunAside: ({ dir }) => ({ aside: putRunAside(dir) }),
    restoreRun: ({ aside }) => ({ dir: restoreRun(aside) }),
    readEvents: ({ dir, fromByte }) => readEvents(dir, fromByte),
    readTrace: ({ dir, ...place }) => readTrace(dir, place),
    readTraceFile: ({ file, fromByte, fromLine }) => readTraceFile(file, { fromByte, fromLine }),
    readTraceAt: ({ file, ...place }) => readTraceAt(file, place),
    readPreferences: ({ workspace }) => preferenceState(workspace),
    recordPreferences: ({ workspace, bodies }) => ({ lines: recordPreferences(workspace, bodies) }),
    openPairs: ({ workspace, dir, limit }) => openPairs(workspace, dir, limit),
    pairOf: ({ workspace, dir, traceIds }) => ({ pair: pairOfTraces(workspace, dir, traceIds).pair }),
    versionsOf: ({ dir }) => versionsOf(dir),
    readTasks: ({ dir }) => readTaskSplits(dir),
    taskFileFor: ({ toolFile }) => taskFileFor(toolFile),
    addTask: async ({ toolFile, task, withTasksOf, runDir }) => {
      const isOfServers = runDir !== undefined && namedServers(toolFile) !== null;
      const tools = isOfServers ? readTools(runDir) : (await discover({ paths: [toolFile] })).tools;
      return addTask(
        toolFile,
        task,
        tools,
        withTasksOf === null ? [] : Object.values(readTaskSplits(withTasksOf)).flat(),
      );
    },
    readRequests: ({ dir }) => notTrainedOn(ownRequests(...requestsOf(dir)), trainedTasks(dir)),
    keepRequest: ({ dir, request }) => notTrainedOn(keepRequest(request, ...requestsOf(dir)), trainedTasks(dir)),
    importPreferences: ({ workspace, file }) => importPreferences(workspace, file),
    exportPreferences: ({ workspace, file, format }) => exportPreferences(workspace, file, format),
    // tokenizer and grammar are loaded when the first rewrite is typed
    checkRewrite: async ({ dir, pair, of, draft }) =>
      (await import('./app/preferenceCheck')).checkRewrite(dir, pair, of, draft),
    trainingForecast: async ({ workspace, dir }) =>
      (await import('./app/preferenceCheck')).trainingForecast(workspace, dir),
    toolGraphOf: ({ dir }) => graphOf(runTraces(dir)).graph,
    lessonsOf: async ({ workspace, dir }) => (await takeLessons(workspace, dir)).plan,
    writeLessons: async ({ workspace, dir }) => (await import('./app/flywheel')).lessonRun(workspace, dir),
    toolsOf: ({ dir }) => ({ tools: readTools(dir) }),
    mcpServers: ({ files, setting }) => configuredServers(files, setting),
    mcpTools: async ({ toolFile, environment }) => {
      const { discoverServers } = await import('./tools/sources/mcp/discover'); // the SDK
      const named = serversNamed(toolFile);
      const values = { environment: { ...process.env, ...environment } };
      const { servers, diagnostics } = await discoverServers(named ? [named] : [], values);
      return { tools: servers.flatMap(({ tools }) => tools), diagnostics };
    },
  };
  connection.onRequest(async (method, raw) => {
    if (!Object.hasOwn(handlers, method))
      return new ResponseError(
        ErrorCodes.MethodNotFound,
        `service: unknown method "${method}", known: ${Object.keys(handlers).join(', ')}`,
      );
    const name = method as keyof Methods;
    // A single parameter object comes bare or in a list of one, as the sender chose.
    const params = ServiceMethods[name][0].safeParse(Array.isArray(raw) ? raw[0] : raw);
    if (!params.success)
      return new ResponseError(
        ErrorCodes.InvalidParams,
        `${name}: ${z.prettifyError(params.error).replace(/\s+/g, ' ')}`,
      );
    try {
      return await (handlers[name] as (params: unknown) => unknown)(params.data);
    } catch (error) {
      if (error instanceof UserError)
        return new ResponseError(ErrorCodes.InvalidRequest, error.message, error.toTrainerError());
      return new ResponseError(
        ErrorCodes.InternalError,
        `${name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
  connection.listen();
}

function main(): void {
  console.log = console.error; // stdout belongs to the connection
  process.stderr.on('error', () => undefined);
  const connection = createMessageConnection(
    boundedReader(process.stdin, (error) => {
      console.error(error.message);
      process.exit(1); // whoever writes there does not speak with us
    }),
    new StreamMessageWriter(process.stdout),
  );
  const thread = new DiscoveryThread(__filename);
  connection.onClose(() => process.exit(0));
  process.stdin.on('end', () => process.exit(0));
  process.stdout.on('error', () => process.exit(0)); // the window is gone
  serve(connection, (params) => thread.discover(params));
}

if (!isMainThread) workInThread();
else main();
