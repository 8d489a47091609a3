import type {InstalledAbility} from '../../interface/records.ts';

/** A list that shows the former state may be older than the switch, so it is read again after this time. */
const againMilliseconds = 2000;

type Denied = {readonly installed: InstalledAbility; readonly isWantedEnabled: boolean};

type SwitchCheckOptions = {
	shownRecords(): readonly InstalledAbility[];
	/** True while a change of the record waits for its answer. */
	isPending(id: number): boolean;
	readAgain(): void;
};

/**
Checks switches whose answers did not show the record, with the lists that are read anyway. A row keeps the answered state until a second
list denies it, so that a late list does not make it flap.
*/
export function createSwitchCheck({shownRecords, isPending, readAgain}: SwitchCheckOptions) {
	/** The records that a list has denied, as they are shown; true once the list may be believed. */
	const doubted = new WeakMap<InstalledAbility, boolean>();

	const doubt = (records: readonly InstalledAbility[]): void => {
		for (const record of records) {
			doubted.set(record, false);
		}

		setTimeout(() => {
			for (const record of records) {
				doubted.set(record, true);
			}

			const shown = new Set(shownRecords());
			if (records.some(record => shown.has(record))) {
				readAgain();
			}
		}, againMilliseconds).unref();
	};

	/** Call this before a list is requested. */
	return () => {
		const unconfirmed = new Map(shownRecords().flatMap(record => (record.isUnconfirmed ? [[record.id, record] as const] : [])));
		const due = new Set([...unconfirmed.values()].filter(record => doubted.get(record)));
		/** Returns the records to show instead of the listed ones, by id, and the switches that had no effect. */
		return (listed: readonly InstalledAbility[]) => {
			const differing = (unconfirmed.size === 0 ? [] : listed).flatMap(record => {
				const shown = unconfirmed.get(record.id);
				const isDenied =
					shown !== undefined && record.isEnabled !== undefined && record.isEnabled !== shown.isEnabled && !isPending(record.id);
				return isDenied ? [{record, shown}] : [];
			});
			const kept = differing.filter(({shown}) => !due.has(shown)).map(({shown}) => shown);
			const fresh = kept.filter(shown => !doubted.has(shown));
			if (fresh.length > 0) {
				doubt(fresh);
			}

			return {
				kept: new Map(kept.map(shown => [shown.id, shown])),
				denied: differing
					.filter(({shown}) => due.has(shown))
					.map(({record, shown}): Denied => ({installed: record, isWantedEnabled: shown.isEnabled!})),
			};
		};
	};
}

export type SwitchCheck = ReturnType<typeof createSwitchCheck>;
