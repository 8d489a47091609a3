import {sendChanges} from '../../changes/send-changes.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {installedLookup, stateWord} from '../../interface/installed-lookup.ts';
import type {Ability, InstalledAbility, Named} from '../../interface/records.ts';
import type {ServiceSession} from './service-session.ts';
import type {ReversibleStep} from './undo-history.ts';
import {readListsAgain, runWrite, uninstallation} from './writes.ts';

/**
Returns the step that undoes an installation: it uninstalls the abilities that the list then shows, after the question that `d` asks.

@param abilities - the installed abilities.
@param redo - names the key that installs them again.
*/
export function uninstallStep(
	session: ServiceSession,
	abilities: ReadonlyArray<Pick<Ability, 'id' | 'name'>>,
	redo: string,
): ReversibleStep {
	const subjectOf = (all: ReadonlyArray<{readonly name: string}>): string => (all.length === 1 ? all[0]!.name : `${all.length} abilities`);
	const takeBack = async () => {
		await Promise.all([session.records.readAgain('installed'), session.records.readAgain('abilities')]);
		const installedOf = installedLookup(session.records.seen('installed') ?? []);
		const ids = new Set(abilities.map(({id}) => id));
		const there = (session.records.seen('abilities') ?? [])
			.filter(({id}) => ids.has(id))
			.map(ability => installedOf(ability))
			.filter(record => record !== undefined);
		const subject = subjectOf(there);
		if (there.length === 0) {
			return {text: `${subjectOf(abilities)} ${abilities.length === 1 ? 'is' : 'are'} no longer installed.`, reverse: undefined};
		}

		const isAgreed = await session.changes.confirm({
			question: `Uninstall ${subject}?`,
			details: [
				...stateLines(session, there),
				`The ${there.length === 1 ? 'ability itself stays' : 'abilities themselves stay'}; ${there.length === 1 ? 'its state and its' : 'their states and'} trigger phrases are lost.`,
			],
			yes: `uninstall ${subject}`,
		});
		if (isAgreed !== true) {
			throw new SwitchboardError('cancelled', 'Nothing was uninstalled.');
		}

		const outcomes = await sendChanges(there, {send: async record => uninstallation.write(session, record)});
		void readListsAgain(session, uninstallation.shownBy);
		const failed = outcomes.find(outcome => 'error' in outcome);
		if (failed !== undefined) {
			throw failed.error;
		}

		return {text: `${subject} ${there.length === 1 ? 'is' : 'are'} uninstalled.`, reverse: {refusal: `Nothing to redo: ${redo}`}};
	};

	const what = `the installation of ${subjectOf(abilities)}`;
	return {
		what,
		takeBack: async () =>
			session.changes.log.restoring(async () =>
				runWrite(session, {key: ['undo-installation', what], unknown: `It is not known whether this was undone: ${what}.`}, takeBack),
			),
	};
}

/** Returns the states of the abilities that a question is about, a line each. A single one is named by the question. */
export function stateLines(session: ServiceSession, records: readonly InstalledAbility[]): readonly string[] {
	const nameOf = uniqueName(session.records.seen('installed'));
	return records.length === 1 ? [`It is ${shownState(records[0]!)}.`] : records.map(record => `${nameOf(record)}: ${shownState(record)}`);
}

/** Returns the state of an installed ability as it follows “is”. */
export function shownState({isEnabled}: InstalledAbility): string {
	return isEnabled === undefined ? 'on or off: the service does not show it' : stateWord(isEnabled);
}

/** Returns a function for the name of a record, with its id if another record of the list has the name. */
export function uniqueName(list: readonly Named[] = []): (record: Named) => string {
	return ({id, name}) => (list.some(other => other.id !== id && other.name === name) ? `${name} (${id})` : name);
}
