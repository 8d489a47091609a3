/* What tests of this room take from the helpers, on one line. */

export {connectAssistant} from './assistant.ts';
export {createRun, ended, environmentFor, json, jsonError, notFound, runIn, startDocumented, writeCellar} from './outcomes.ts';
export {startInProcess, type RunningCommand} from './running-command.ts';
export {lastError, parseJson, shareServedHome} from './served-home.ts';
export {bytesIn, codeFiles, readFolderTexts, spokenFiles, writeFolder} from './source-folders.ts';
export {createRemoteClient} from './ssh/remote-client.ts';
export {createServerFolders} from './ssh/remote-server.ts';
export {installedRecord, isRead, isWrite, startLiveLike} from './start-live-like.ts';
export {noKeyYet, serveInProcess} from './serve-in-process.ts';
export {startWithState} from './state-file.ts';
export {startProgram, startServe} from '../end-to-end/start-serve.ts';
export {jsonAnswer} from '../helpers/answers.ts';
export {startDocumentedService} from '../helpers/documented-service.ts';
export {startFaultRelay} from '../helpers/fault-relay.ts';
export {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
export {startLiveLikeService} from '../helpers/live-like-service.ts';
export {startOddService} from '../helpers/odd-service.ts';
export {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
export {type RequestFilter} from '../helpers/recorded-requests.ts';
export {programFile, runWithRoom, type CommandResult} from '../helpers/run-command.ts';
export {runCommand} from '../helpers/run-in-process.ts';
export {openTerminal, runOnTerminal} from '../helpers/terminal-in-process.ts';
export {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';
export {waitUntil} from '../helpers/wait-until.ts';
export {startTestService} from '../service/running-service.ts';
