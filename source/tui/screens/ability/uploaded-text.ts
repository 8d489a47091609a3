import {namedChanges} from '../../../bundle/compare-files.ts';
import {type Uploaded} from '../../hooks/find-upload.ts';
import {type Released} from '../../hooks/release-ability.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {absenceCheck, installedLookup} from '../../../interface/installed-lookup.ts';
import {versionInUse} from '../../../interface/version-in-use.ts';

/** Whether the lists show it as installed, and on or off; `undefined` if they do not tell. */
const stateOf = (session: ServiceSession, id: number | undefined, keymap: Keymap): string | undefined => {
	const ability = seenRecords(session, 'abilities')?.find(each => each.id === id);
	const installed = seenRecords(session, 'installed');
	if (ability === undefined || installed === undefined) {
		return undefined;
	}

	const record = installedLookup(installed)(ability);
	if (record === undefined) {
		return absenceCheck(installed)(ability) ? `not installed: ${keyName(keymap, 'install')} installs it` : undefined;
	}

	return record.isEnabled === undefined ? 'installed' : `installed and ${record.isEnabled ? 'on' : 'off'}`;
};

/** Reports an upload once the lists were refreshed, such as “lamplighter is uploaded (id 44), installed and on.” */
export const uploadedText = (session: ServiceSession, {name, id, detail, isTooLateToCancel}: Uploaded, keymap: Keymap): string => {
	const done = `${name} ${isTooLateToCancel ? 'was uploaded before it could be cancelled' : 'is uploaded'}${id === undefined ? '' : ` (id ${id})`}`;
	const state = stateOf(session, id, keymap);
	// The service's own words repeat the state, if that is known.
	return state === undefined ? `${done}. ${detail}`.trim() : `${done}, ${state}.`;
};

/** Reports a new version once the lists were refreshed, such as “Released version 2 of lamplighter: main.py.” */
export const releasedText = (session: ServiceSession, {ability: {id, name}, version, files}: Released): string => {
	const ability = seenRecords(session, 'abilities')?.find(each => each.id === id);
	const newest = version ?? (ability && versionInUse(ability));
	return `Released ${newest === undefined ? 'a new version' : `version ${newest}`} of ${name}: ${namedChanges(files)}.`;
};
