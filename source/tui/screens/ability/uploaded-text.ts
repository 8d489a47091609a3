import {type Uploaded} from '../../hooks/find-upload.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {absenceCheck, installedLookup} from '../installed-lookup.ts';

/** What the lists say of it: installed and on or off, or not installed; `undefined` where they do not tell. */
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

/** What became of an upload, once the lists were read again, such as “lamplighter is uploaded (id 44), installed and on.” */
export const uploadedText = (session: ServiceSession, {name, id, detail, isTooLateToCancel}: Uploaded, keymap: Keymap): string => {
	const done = `${name} ${isTooLateToCancel ? 'had arrived before it was cancelled' : 'is uploaded'}${id === undefined ? '' : ` (id ${id})`}`;
	const state = stateOf(session, id, keymap);
	// The service's own words say the same again, unless nothing else says it.
	return state === undefined ? `${done}. ${detail}`.trim() : `${done}, ${state}.`;
};
