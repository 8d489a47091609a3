/* What tests of this room take from the helpers, on one line. */

export {abilityFolder} from '../../bundle/ability-folder.ts';
export {jsonAnswer} from '../../helpers/answers.ts';
export {keyBytes} from '../../helpers/key-bytes.ts';
export {type LiveLikeService} from '../../helpers/live-like-service.ts';
export {isRecord} from '../../helpers/live-like/home.ts';
export {fingerprintOf} from '../../helpers/remote-terminal.ts';
export {renderApp, type RenderAppOptions, type RenderedApp} from '../../helpers/render-app.tsx';
export {temporaryFolder, temporaryFolders} from '../../helpers/temporary-folder.ts';
export {createFrameRecorder} from '../../helpers/terminal/frame-recorder.ts';
export {waitUntil} from '../../helpers/wait-until.ts';
export {startTestService} from '../../service/running-service.ts';
export {asked, isDeletion, isRemoval, storedNames, typeDelete} from './abilities.ts';
export {editedTexts, editsOf, isEdit, openEditorBench, storedAgent} from './agents.ts';
export {
	installedListCount,
	installedRecord,
	isInstalledList,
	isToggle,
	startDocumentedHome,
	startHome,
	storedState,
	storedStates,
	toggledIds,
	togglesOf,
	writesTo,
} from './homes.ts';
export {everShown, openApp, openHome, overlaysOf, profileNames, startForVisits} from './open-home.ts';
export {night, openPresets} from './presets.ts';
export {isGoingOn, startServer, type OpenSession} from './remote.ts';
export {assertScreen, boxOf, cursorLine, filterLine, includes, isAnswered, isFresh, says, screen, shown} from './shown.ts';
export {small, wide} from './sizes.ts';
