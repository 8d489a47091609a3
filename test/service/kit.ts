/* What tests of this room take from the helpers, on one line. */

export {createCertificate} from '../helpers/certificates.ts';
export {type TestedDatabase, testedDatabases, testOnEach, testOnPostgres} from '../helpers/databases.ts';
export {earlierHomes} from '../helpers/earlier-homes.ts';
export {fieldsOf} from '../helpers/fields-of.ts';
export {followChanges} from '../helpers/follow-changes.ts';
export {newAbility, noAgent} from '../helpers/new-ability.ts';
export {sharedPostgres, skipWithoutPostgres, skipWithoutPostgres as skip, startPostgres} from '../helpers/postgres.ts';
export {setVariables} from '../helpers/set-variables.ts';
export {exchange, openSocket} from '../helpers/raw-http.ts';
export {temporaryDataFolder, temporaryFolder} from '../helpers/temporary-folder.ts';
export {waitUntil} from '../helpers/wait-until.ts';
export {appParts} from './app-parts.ts';
export {addEntries, execute, lineOf, readEntries, readPage, readRows, toggle} from './history-pages.ts';
export {
	named,
	openTestStore,
	paths,
	readLists,
	shareTestService,
	startTestService,
	withKeys,
	type JsonRecord,
	type TestAnswer,
	type TestRequest,
	type TestService,
} from './running-service.ts';
export {formOf, lampFiles, pngBytes, uploadForm, zipOf} from './sample-forms.ts';
